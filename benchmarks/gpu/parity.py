"""Logits, losses and gradients of every system on the GPU beside those of the same weights on the CPU.

On ragged sentences, without dropout, with the kernels that serve there: in fp64, in fp32, in fp32 with CUDA graphs, all
beside fp64 on the CPU; and with graphs and products in bf16, beside fp32 with products in bf16.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from benchmarks.batches import SPECIAL, Sample, sample
from benchmarks.failure import reason
from benchmarks.gpu.part import Asked, main, say, switched_off
from benchmarks.sizes import Size
from benchmarks.systems import BASE, FAIRSEQ, Trainable, build, named
from fairseq_plugins.core.graphs import replay
from fairseq_plugins.kernels import native, products
from fairseq_plugins.kernels.comparison import difference

SIZE = Size("parity", 4, 7, 6, 32, 60, 6, 7, 8)
CPU = torch.device("cpu")
IN_FP32 = 1e-3


class Row(NamedTuple):
    """factors: of products. allowed: of ``comparison.difference``, through some steps of a recurrence and back; where
    factors are rounded, some roundings flip, each 4e-3 of an element."""

    name: str
    dtype: torch.dtype
    factors: str
    graphs: bool
    allowed: float


ROWS = (
    Row("fp64", torch.float64, "fp32", False, 1e-8),
    Row("fp32", torch.float32, "fp32", False, IN_FP32),
    Row("graphs", torch.float32, "fp32", True, IN_FP32),
    Row("bf16_products", torch.float32, "bf16", True, 2e-2),
)


def run(asked: Asked) -> None:
    rows: list[dict[str, Any]] = []
    torch.backends.cudnn.allow_tf32 = False  # fairseq's LSTM would use it
    # On the CPU too PyTorch's own operations: building others takes half a minute.
    native.operations = lambda: None  # type: ignore[assignment]  # a function that remembers, by one that need not
    for system in named([BASE, "ba_nmt", FAIRSEQ] if asked.smoke else None):
        try:
            found = compared(build(system, SIZE, CPU), asked.device, system.is_recurrent)
        except Exception as error:
            found = {"failure": reason(error)}
        rows.append({"system": system.name, **found})
        say(f"{system.name}: {found['failure'] or 'right'}")
        wrong = [row["system"] for row in rows if row["failure"]]
        asked.write({"systems": rows, "failure": f"{', '.join(wrong)} differ or fail" if wrong else None})


def compared(made: Trainable, device: torch.device, recurrent: bool) -> dict[str, Any]:
    """The difference of each row (None with graphs: no pass was replayed), and what is wrong with them.

    fairseq's own losses and attention are in fp32 whatever the type.
    """
    for module in made.model.modules():
        if isinstance(getattr(module, "p", None), float):  # dropout, PyTorch's and fairseq's
            module.p = 0.0  # type: ignore[assignment]  # torch types what it does not know as a module
    batch = ragged(SIZE, made.reads_links)
    expected = {"fp32": outputs_and_gradients(made, batch, CPU, torch.float64)}
    with products("bf16"):
        expected["bf16"] = outputs_and_gradients(made, batch, CPU, torch.float32)
    found: dict[str, Any] = {"failure": None}
    for row in ROWS:
        passes = replay(made.model) if row.graphs else []
        with products(row.factors):
            for _ in range(1 + len(passes)):  # recorded, and replayed again
                apart = difference(outputs_and_gradients(made, batch, device, row.dtype), expected[row.factors])
        found[row.name] = apart if not row.graphs or any(one.replayed for one in passes) else None
        allowed = row.allowed if recurrent else max(row.allowed, IN_FP32)
        if not apart <= allowed and not found["failure"]:
            found["failure"] = f"{row.name} differs by {apart:.1e} of the largest number, {allowed:.0e} is allowed"
        found["failure"] = found["failure"] or switched_off(one.trust.reason for one in passes)
        for one in passes:
            del one.decoder.teacher_forced  # what the next row replays is its own
    return found


def outputs_and_gradients(
    made: Trainable, batch: Sample, device: torch.device, dtype: torch.dtype
) -> list[Tensor | None]:  # fmt: skip
    """Loss, logits and the gradient of every parameter, in fp64 on the CPU; the model stays where they were made."""
    made.model.to(device, dtype).zero_grad()
    here = moved(batch, device)
    loss = made.loss(here)
    loss.backward()
    with torch.no_grad():
        logits = made.model(**here["net_input"])[0]
    found = [loss, logits, *(parameter.grad for parameter in made.model.parameters())]
    return [None if x is None else x.detach().to(CPU, torch.float64) for x in found]


def ragged(size: Size, links: bool) -> Sample:
    """A batch whose k-th sentence lacks k words of either side, right-padded."""
    batch = sample(size, links, CPU)
    inputs, target = batch["net_input"], batch["target"]
    source, previous = inputs["src_tokens"], inputs["prev_output_tokens"]
    for k in range(size.B):
        for ids, length in ((source, size.S - k), (target, size.T - k)):
            ids[k, length - 1] = SPECIAL.eos()
            ids[k, length:] = SPECIAL.pad()
        previous[k, size.T - k :] = SPECIAL.pad()
        inputs["src_lengths"][k] = size.S - k
    batch["ntokens"] = int(target.ne(SPECIAL.pad()).sum())
    if links:
        word, step = batch["alignments"].unbind(1)
        row = step // size.T
        inside = (word < inputs["src_lengths"][row] - 1) & (step % size.T < size.T - 1 - row)
        batch["alignments"] = batch["alignments"][inside]
    return batch


def moved(batch: Any, device: torch.device) -> Any:
    if isinstance(batch, dict):
        return {name: moved(part, device) for name, part in batch.items()}
    return batch.to(device) if isinstance(batch, Tensor) else batch


if __name__ == "__main__":
    main(run, __doc__)
