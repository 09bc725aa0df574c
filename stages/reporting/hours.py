"""What a study's trainings cost: hours of a CPU core, or of a GPU."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from stages.files.run_directory import RunDirectory
from stages.releasing import reverse as backward
from stages.reporting.results import SystemResults
from stages.text.counted import counted

SECONDS = 3600


def hours(run: RunDirectory, systems: Sequence[SystemResults], reverse: Collection[str]) -> dict[str, float]:
    """`hours` of metrics.json: {"trainings": number, "cpu": wall time times threads, "gpu": wall time}.

    Every run once, that in the reverse direction too. A training on a GPU counts for that alone. What the other stages
    take is not in it. Raises InputError if a record of a training is missing or damaged.
    """
    found: list[dict[str, Any] | None] = []
    for system in systems:
        for one in system.runs:
            found.append({"wall_seconds": one.metrics["wall_seconds"], "machine": one.recipe.get("machine", {})})
            found.append(backward.training(run, system.variant, one.seed, system.variant in reverse))
    records = [record for record in found if record is not None]
    timed = [record for record in records if record["wall_seconds"] is not None]
    on_gpu = [record["wall_seconds"] for record in timed if record["machine"].get("gpu")]
    on_cpu = [one["wall_seconds"] * one["machine"].get("threads", 1) for one in timed if not one["machine"].get("gpu")]
    return {"trainings": len(records), "cpu": sum(on_cpu) / SECONDS, "gpu": sum(on_gpu) / SECONDS}


def hours_each(systems: Sequence[SystemResults]) -> dict[str, float]:
    """Variant -> CPU-hours of one training, in the mean of its runs; those on a GPU, and unknown ones, are left out."""
    found = {}
    for system in systems:
        runs = [(run.metrics["wall_seconds"], run.recipe.get("machine", {})) for run in system.runs]
        times = [seconds * machine.get("threads", 1) for seconds, machine in runs if not machine.get("gpu") and seconds]
        if system.trained and times:
            found[system.variant] = sum(times) / len(times) / SECONDS
    return found


def said(found: Mapping[str, Any]) -> str:
    """A sentence. Trainings that share a core take more wall time than time of the core, hence "at most"."""
    each = [f"{found[key]:.1f} {name}-hours" for key, name in (("cpu", "CPU"), ("gpu", "GPU")) if found[key]]
    took = f"at most {' and '.join(each)}" if each else "no time that is known"
    return f"{counted(found['trainings'], 'training')} took {took}."
