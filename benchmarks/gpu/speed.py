"""Training and decoding speed on a GPU, beside the limits of FLOP and of launches, and beside what else there is.

Systems are visited in the order of their weight in a study, at every size and precision, until the time is used up;
what was not reached is named.
"""

import gc
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import nn

from benchmarks import decoder_loop
from benchmarks.baseline import BASELINES, baseline
from benchmarks.decoding import sentences_per_second
from benchmarks.device import now
from benchmarks.failure import reason
from benchmarks.gpu.part import Asked, main, say, switched_off
from benchmarks.limit import ProductTimer
from benchmarks.products.catalogue import products_of
from benchmarks.sizes import SMOKE, VOCABULARY, Size
from benchmarks.spread import spread
from benchmarks.standalone import PlainAdam
from benchmarks.systems import BASE, FAIRSEQ, TRANSFORMER, System, Trainable, build, named, sized, terms_of
from benchmarks.training import Step, Trainer
from fairseq_plugins.core.graphs import replay

SIZES = (Size("H512", 80, 30, 30, 512, VOCABULARY), Size("H1000", 80, 30, 30, 1000, VOCABULARY))
IN_SMOKE = SMOKE
FIRST = (
    BASE, "ba_nmt", FAIRSEQ, TRANSFORMER, "coverage_nn_gru", "luong_global_general", "gatt", "interactive_attention",
)  # fmt: skip
"""Systems that are also decoded, and measured in TF32."""
RESERVE = 1.5  # a visit may take that much longer than the longest so far


class Visit(NamedTuple):
    """system: one of params.yaml or of fairseq, or the name of an unoptimised baseline."""

    system: System | str
    size: Size
    precision: str

    @property
    def name(self) -> str:
        return self.system if isinstance(self.system, str) else self.system.name


def visits(smoke: bool) -> Iterator[Visit]:
    """The first systems and the baselines at every size in fp32, then in TF32, then all others."""
    sizes = IN_SMOKE if smoke else SIZES
    systems = named([BASE, FAIRSEQ] if smoke else None)
    systems.sort(key=lambda system: FIRST.index(system.name) if system.name in FIRST else len(FIRST))
    first: list[System | str] = [*(system for system in systems if system.name in FIRST), *BASELINES]
    others = [system for system in systems if system.name not in FIRST]
    for precision in ("fp32", "tf32"):
        yield from (Visit(system, size, precision) for size in sizes for system in first)
    yield from (Visit(system, size, "fp32") for size in sizes for system in others)


def run(asked: Asked) -> None:
    rows: list[dict[str, Any]] = []
    missed: list[str] = []
    longest, steps = 0.0, 2 if asked.smoke else 10
    for visit in visits(asked.smoke):
        what = f"{visit.name}, {visit.size.name}, {visit.precision}"
        if asked.left() < RESERVE * longest:
            missed.append(what)
            continue
        start = now(asked.device)
        try:
            row = measured(visit, asked.device, steps)
        except Exception as error:
            row = {"failure": reason(error)}
        said = row["failure"] or f"{row['tokens_per_second']['median']:,.0f} tokens/s"
        say(f"{what}: {said}")
        gc.collect()
        if asked.device.type == "cuda":
            torch.cuda.empty_cache()
        longest = max(longest, now(asked.device) - start)
        of = {"system": visit.name, "size": visit.size._asdict(), "precision": visit.precision}
        rows.append(of | row)
        asked.write(_found(rows, missed))
    asked.write(_found(rows, missed))


def _found(rows: list[dict[str, Any]], missed: list[str]) -> dict[str, Any]:
    wrong = [f"{row['system']} ({row['size']['name']}, {row['precision']})" for row in rows if row["failure"]]
    failure = f"{', '.join(wrong)} could not be measured" if wrong else None
    return {"rows": rows, "missed": missed, "failure": failure}


def measured(visit: Visit, device: torch.device, steps: int) -> dict[str, Any]:
    """One visit: built, warmed up, measured as it is and with CUDA graphs, and nothing left behind."""
    torch.set_float32_matmul_precision("high" if visit.precision == "tf32" else "highest")
    torch.backends.cudnn.allow_tf32 = visit.precision == "tf32"  # else fairseq's LSTM would use it
    made, trainer = _made(visit, device)
    size = visit.size
    trainer.prepare()
    peak = trainer.peak_bytes()
    found: dict[str, Any] = {"peak_bytes": peak, **timed(made.model, trainer, size, device, steps)}
    found |= _limits(visit, device)
    found |= with_graphs(made.model, trainer, size, device, steps)
    best = max(found["tokens_per_second"]["median"], (found["graphs"] or {"median": 0})["median"])
    found["of_flop_limit"] = found["product_seconds"] and found["product_seconds"] * best / (size.B * size.T)
    quickest = min(found["decoder_seconds"], found["graphs_decoder_seconds"] or found["decoder_seconds"])
    found["launch_limit_seconds"] = decoder_loop.latency_limit(size)
    found["of_launch_limit"] = found["launch_limit_seconds"] / quickest
    decodes = visit.precision == "fp32" and visit.name in FIRST
    found["sentences_per_second"] = sentences_per_second(made.model, size, device) if decodes else None
    return found


def _made(visit: Visit, device: torch.device) -> tuple[Trainable, Trainer]:
    """Unoptimised baselines have PyTorch's own Adam."""
    if isinstance(visit.system, str):
        made = baseline(visit.system, visit.size, device)
        return made, Trainer(made, visit.size, device, PlainAdam(made.model))
    made = build(visit.system, visit.size, device)
    return made, Trainer(made, visit.size, device)


def timed(model: nn.Module, trainer: Trainer, size: Size, device: torch.device, steps: int) -> dict[str, Any]:
    """Training steps, after two that warm up: target pieces a second, the median seconds of each part, and how much of
    them the decoder takes."""
    for _ in range(2):
        trainer.step()
    each = [trainer.step() for _ in range(steps)]
    parts = Step(*map(statistics.median, zip(*each, strict=True)))
    model.zero_grad()
    decoder = decoder_loop.seconds(model, size, device)
    return {
        "tokens_per_second": spread([size.B * size.T / step.total for step in each]), "step_seconds": parts._asdict(),
        "decoder_seconds": decoder, "decoder_share": decoder / parts.total,
    }  # fmt: skip


def _limits(visit: Visit, device: torch.device) -> dict[str, Any]:
    """The time that its necessary products take by themselves, and how many operations these are."""
    system = visit.system
    products = None
    if not isinstance(system, str):
        products = products_of(sized(system.model, visit.size), terms_of(system.model), visit.size)
    if products is None:
        return {"product_seconds": None, "gigaflop": None}
    limit = ProductTimer(products, device).limit()
    return {"product_seconds": limit.seconds, "gigaflop": limit.flops / 1e9}


def with_graphs(model: nn.Module, trainer: Trainer, size: Size, device: torch.device, steps: int) -> dict[str, Any]:
    """The same with CUDA graphs; None for what has none: fairseq's own, baselines, and states that are frozen."""
    passes = replay(model)
    found = timed(model, trainer, size, device, steps) if passes else {}
    if sum(one.replayed for one in passes) <= sum(one.others for one in passes):
        found = {}
    return {
        "graphs": found.get("tokens_per_second"), "graphs_step_seconds": found.get("step_seconds"),
        "graphs_decoder_seconds": found.get("decoder_seconds"), "graphs_decoder_share": found.get("decoder_share"),
        "failure": switched_off(one.trust.reason for one in passes),
    }  # fmt: skip


if __name__ == "__main__":
    main(run, __doc__)
