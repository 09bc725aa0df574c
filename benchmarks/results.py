"""What was measured, as it accumulates, and results.json."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

import torch

from benchmarks.commit import now_and_commit
from benchmarks.limit import Limit
from benchmarks.sizes import Size
from benchmarks.spread import spread
from benchmarks.toolkits.measure import summary as of_toolkit
from benchmarks.training import Step
from stages.files.records import write_json
from stages.training.run import machine

PACKAGES = ("torch", "fairseq", "numpy")


class Visit(NamedTuple):
    """One visit of a round to a system; None: not measured.

    Attributes:
        steps: seconds of each training step.
        peak_bytes: memory of a forward and backward pass.
        sentences_per_second: of each beam search.
        decoder_seconds: of the decoder's forward and backward pass.
        limits: after each step, its products by themselves.
        rounded: the same of training in `bf16_products`, each step after one in fp32; None where it is not measured.
        rounded_sentences_per_second: of each beam search in `bf16_products`.
        warm: for how many of the steps the process had all its memory; None of a process of its own, which may not.
    """

    steps: list[Step]
    peak_bytes: int | None
    sentences_per_second: Sequence[float]
    decoder_seconds: float | None
    limits: list[Limit]
    rounded: tuple[list[Step], list[Limit]] | None = None
    rounded_sentences_per_second: Sequence[float] = ()
    warm: int | None = None


class Row:
    """A system at one size."""

    def __init__(self, title: str):
        self.title = title
        self.visits: list[Visit] = []

    def summary(self, size: Size) -> dict[str, Any]:
        """Medians with the least and the greatest."""
        tokens, steps = size.B * size.T, [step for visit in self.visits for step in visit.steps]
        found: dict[str, Any] = {
            "title": self.title,
            "steps": len(steps),
            "warm": sum(warm) if (warm := [visit.warm for visit in self.visits if visit.warm is not None]) else None,
            "tokens_per_second": spread([tokens / step.total for step in steps]),
            "step_seconds": spread([step.total for step in steps]),
            **{f"{part}_seconds": spread([getattr(step, part) for step in steps]) for part in Step._fields},
        }
        for name in ("sentences_per_second", "rounded_sentences_per_second"):
            found[name] = spread([value for visit in self.visits for value in getattr(visit, name)])
        for name in ("peak_bytes", "decoder_seconds"):
            found[name] = spread([value for visit in self.visits if (value := getattr(visit, name)) is not None])
        limits = [limit for visit in self.visits for limit in visit.limits]
        found["fraction_of_limit"] = _fraction([(visit.steps, visit.limits) for visit in self.visits])
        found["rounded"] = self._rounded(tokens)
        found["gigaflop"] = limits[0].flops / 1e9 if limits else None
        found["product_seconds"] = spread([limit.seconds for limit in limits])
        return found

    def _rounded(self, tokens: int) -> dict[str, Any] | None:
        """In `bf16_products`; `times`: each step beside the one in fp32 before it."""
        visits = [(visit.steps, visit.rounded) for visit in self.visits if visit.rounded]
        if not visits:
            return None
        limits = [limit for _, (_, limits) in visits for limit in limits]
        pairs = [pair for exact, (rounded, _) in visits for pair in zip(exact, rounded, strict=True)]
        return {
            "tokens_per_second": spread([tokens / rounded.total for _, rounded in pairs]),
            "times": spread([exact.total / rounded.total for exact, rounded in pairs]),
            "fraction_of_limit": _fraction([rounded for _, rounded in visits]),
            "product_seconds": spread([limit.seconds for limit in limits]),
        }


def _fraction(visits: Sequence[tuple[list[Step], list[Limit]]]) -> dict[str, float] | None:
    """Each step beside its own limit; None where nobody has counted the products."""
    pairs = (pair for steps, limits in visits for pair in zip(steps, limits, strict=bool(limits)))
    return spread([limit.seconds / step.total for step, limit in pairs])


class Results:
    """Everything of a run; ``write`` may be called at any time."""

    def __init__(self, repeats: int, threads: int, dropped: dict[str, str], toolkits: Sequence[str] = ()):
        self.repeats, self.threads, self.dropped = repeats, threads, dropped
        self.made = now_and_commit()
        self.toolkits: dict[str, list[dict[str, Any]]] = {name: [] for name in toolkits}
        self.sizes: dict[Size, dict[str, Row]] = {}

    def summary(self) -> dict[str, Any]:
        versions = {"python": python_version()} | {name: version(name) for name in PACKAGES}
        info = Path("/proc/meminfo")
        memory = int(info.read_text().split()[1]) * 1024 if info.exists() else None
        return {
            **self.made,
            "machine": machine(self.threads) | {"memory_bytes": memory},
            "versions": versions | {"blas": "MKL" if torch.backends.mkl.is_available() else "no MKL"},
            "repeats": self.repeats,
            "dropped": self.dropped,
            "sizes": {
                size.name: size._asdict()
                | {"systems": {name: row.summary(size) for name, row in rows.items() if row.visits}}
                for size, rows in self.sizes.items()
            },
            "toolkits": {
                name: of_toolkit(name, size, visits)
                for size in self.sizes
                if size.baselines
                for name, visits in self.toolkits.items()
                if visits
            },
        }

    def write(self, path: Path) -> None:
        write_json(path, self.summary())
