"""What the Triton kernels' check of themselves finds, and how long it takes, compilation counted and not."""

import os
from functools import partial

from benchmarks.gpu.part import Asked, main, say, seconds_of
from fairseq_plugins.kernels import self_check, triton_choice
from fairseq_plugins.kernels.comparison import TOLERANCE


def run(asked: Asked) -> None:
    there = triton_choice.operations() is not None
    computes = asked.device.type == "cuda" or os.environ.get("TRITON_INTERPRET") == "1"
    if asked.device.type == "cuda" and not there:
        asked.write({"checks": [], "failure": "there is no Triton, or ATTENTION_KERNELS asks for eager"})
        return
    checks = []
    for dtype in TOLERANCE if there and computes else ():
        for name in triton_choice.Operations._fields:
            check = partial(self_check.checked, name, asked.device, dtype)
            first, _ = seconds_of(asked.device, check)
            again, verdict = seconds_of(asked.device, check)
            objection = verdict.objection(TOLERANCE[dtype])
            checks.append({
                "kernel": name, "type": str(dtype).removeprefix("torch."), "difference": verdict.difference,
                "allowed": TOLERANCE[dtype], "objection": objection, "first_seconds": first, "again_seconds": again,
            })  # fmt: skip
            say(f"{name} for {checks[-1]['type']}: {objection or 'serves'}, {first:.2f} s, then {again:.3f} s")
    wrong = [f"{one['kernel']} for {one['type']}" for one in checks if one["objection"]]
    asked.write({"checks": checks, "failure": f"{', '.join(wrong)} left out" if wrong else None})


if __name__ == "__main__":
    main(run, __doc__)
