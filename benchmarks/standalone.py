"""An unoptimised baseline as a program of its own has it: PyTorch's Adam, clipping and memory as they come.

The study's optimiser and its settings of the process (`stages.training.cpu_settings`) make it quicker too; it is
measured with them beside this.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch
from torch import Tensor, nn

from benchmarks.baseline import baseline
from benchmarks.device import chosen
from benchmarks.results import Visit
from benchmarks.sizes import Size
from benchmarks.training import ADAM, SETTINGS, Step, Trainer

ROOT = Path(__file__).parents[1]


class PlainAdam:
    """PyTorch's own optimiser behind those methods of fairseq's that a training step calls."""

    def __init__(self, model: nn.Module):
        self.parameters = [*model.parameters()]
        self.adam = torch.optim.Adam(self.parameters, SETTINGS.lr, ADAM.betas, ADAM.eps, ADAM.weight_decay)

    def zero_grad(self) -> None:
        self.adam.zero_grad()

    def backward(self, loss: Tensor) -> None:
        loss.backward()

    def multiply_grads(self, factor: float) -> None:
        for parameter in self.parameters:
            if parameter.grad is not None:
                parameter.grad.mul_(factor)

    def clip_grad_norm(self, largest: float) -> None:
        nn.utils.clip_grad_norm_(self.parameters, largest)

    def step(self) -> None:
        self.adam.step()


def visit(name: str, size: Size, threads: int, steps: int, peak: bool) -> Visit:
    """As ``rounds.visit``, in a new process."""
    arguments = {"name": name, "size": size._asdict(), "threads": threads, "steps": steps, "peak": peak}
    command = [sys.executable, "-m", "benchmarks.standalone", json.dumps(arguments)]
    found = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    return Visit([Step(*step) for step in found["steps"]], found["peak_bytes"], (), None, [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arguments", help="the arguments of `visit`, as JSON")
    arguments = json.loads(parser.parse_args().arguments)
    torch.set_num_threads(arguments["threads"])
    size, device = Size(**arguments["size"]), chosen()
    made = baseline(arguments["name"], size, device)
    trainer = Trainer(made, size, device, PlainAdam(made.model))
    trainer.prepare()
    peak = trainer.peak_bytes() if arguments["peak"] else None
    trainer.step()
    print(json.dumps({"steps": [trainer.step() for _ in range(arguments["steps"])], "peak_bytes": peak}))


if __name__ == "__main__":
    main()
