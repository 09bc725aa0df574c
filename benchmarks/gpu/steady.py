"""One process that trains for some seconds once it is told to: `ready` or why not, a line in, tokens/s out."""

import sys
import time

import torch

from benchmarks.device import now
from benchmarks.gpu.part import switched_off
from benchmarks.sizes import SMOKE, VOCABULARY, Size
from benchmarks.systems import build, named
from benchmarks.training import Trainer
from fairseq_plugins.core.graphs import on_one_stream, replay

SIZE = Size("H512-S20", 50, 20, 20, 512, VOCABULARY)
WARM = 5


def main() -> None:
    name, device, seconds, smoke = sys.argv[1], torch.device(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == "smoke"
    size = SMOKE[0] if smoke else SIZE
    torch.set_num_threads(1)  # as trainings
    torch.set_float32_matmul_precision("high")  # TF32, as `auto` has it
    (system,) = named([name])
    with on_one_stream():
        made = build(system, size, device)
        trainer = Trainer(made, size, device)
        trainer.prepare()
        passes = replay(made.model)
        for _ in range(WARM):
            trainer.step()
        if why := switched_off(one.trust.reason for one in passes):
            print(why, flush=True)
            sys.exit(1)
        print("ready", flush=True)
        sys.stdin.readline()
        steps, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            trainer.run()
            steps += 1
        now(device)  # what was launched has ended
        took = time.perf_counter() - begun
    print(steps * size.B * size.T / took, flush=True)


if __name__ == "__main__":
    main()
