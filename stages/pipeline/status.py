"""`make status`: what never ran, what has changed, as `dvc status` says it, and what will run, for how long."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from functools import partial
from typing import Any

from stages.files.main import run
from stages.files.options import Options
from stages.files.run_directory import REPORTS
from stages.pipeline.cores import systems_at_once
from stages.pipeline.durations import Durations, in_words, last_seconds
from stages.pipeline.graph import Pipeline
from stages.pipeline.jobs import Before, Job
from stages.pipeline.lost_cache import put_back
from stages.pipeline.order import Schedule, due_jobs, seconds_left
from stages.pipeline.stopping import stoppable
from stages.pipeline.study import add_arguments, look_at
from stages.settings.params import section
from stages.settings.systems import study_systems
from stages.settings.training import Training
from stages.text.counted import counted

TRAININGS = ("train", "train_reverse", "fine_tune")
SAME = ("check", "manifest", "supervision")
"""Stages that run at every edit of settings or code, for seconds, after which most of what follows is as it was."""


def main() -> None:
    parser = Options(description=__doc__)
    add_arguments(parser)
    args = parser.parse_args()
    idle = look_at(args.study, args.released, print)
    study, pipeline = study_systems(), Pipeline()
    if idle:
        put_back(pipeline, print)
    found = pipeline.status(print)
    new = [stage for stage in found if not pipeline.recorded(stage)]
    if new:
        print(never_ran(new))
    for line in _lines({stage: why for stage, why in found.items() if stage not in new}):
        print(line)
    expected = Durations(study.trained, last_seconds(REPORTS / study.study / "metrics.json"))
    cached = partial(pipeline.cached, say=print)
    slots = systems_at_once(section(f"corpora.{study.corpus}.training", Training).threads)
    print(summary(pipeline.jobs, found, expected, slots, cached))


def never_ran(stages: Iterable[str]) -> str:
    """A line for stages of which nothing is known, so that there is nothing to say of each."""
    counts = Counter(map(_group, stages))
    return "never run here: " + ", ".join(name if count == 1 else f"{name} ({count})" for name, count in counts.items())


def summary(
    jobs: Before,
    changed: Collection[str],
    expected: Durations,
    slots: int,
    cached: Callable[[Iterable[str]], Collection[str]],
) -> str:
    """What `make repro` will run.

    changed: stages. slots: jobs side by side. cached: says which of some trainings, whose inputs no other job that is
    due makes, come from DVC's cache.
    """
    if not changed:
        return "Everything is up to date: nothing will run."
    certain = {stage for stage in changed if _group(stage) not in SAME}
    due = due_jobs(jobs, certain)
    will_run = {job: _from_first(job, certain, due, jobs) for job in due}
    stages = {stage for some in will_run.values() for stage in some} | set(changed)
    first = {some[0]: job for job, some in will_run.items() if _trains(some[0]) and not jobs[job] & due}
    there = {first[stage] for stage in cached(first)}
    trained = {job for job, some in will_run.items() if any(map(_trains, some))} - there
    count = sum(map(_trains, stages))
    others = len(stages) - count
    text = f"`make repro` will run {counted(others, 'stage')}"
    if count:
        seconds = expected.all(trained)
        schedule = Schedule({job: jobs[job] & trained for job in jobs if job in trained}, trained, seconds or {})
        left = in_words(seconds_left(schedule, seconds, {}, slots)) if seconds else None
        takes = ", nobody knows yet how long" if left is None else f", about {left}"
        text = f"`make repro` will run {counted(count, 'training')}"
        text += f", {len(there) if trained else 'all'} of them from the cache" if there else ""
        text += f"{takes if trained else ''}, and {counted(others, 'other stage')}"
    if any(_group(stage) == "manifest" for stage in changed):
        text += "; after that those whose code has changed, which `manifest` finds out"
    return text


def _from_first(job: Job, changed: Set[str], due: Set[Job], jobs: Before) -> tuple[str, ...]:
    """The stages of a due job that will run: from the first that has changed on, or all after another due job."""
    if jobs[job] & due:
        return job.stages
    first = next(place for place, stage in enumerate(job.stages) if stage in changed)
    return job.stages[first:]


def _trains(stage: str) -> bool:
    return _group(stage) in TRAININGS


def _group(stage: str) -> str:
    return stage.partition("@")[0]


def _lines(status: Any, depth: int = 0) -> Iterator[str]:
    """As DVC lays it out."""
    if isinstance(status, str):
        yield f"{'  ' * depth}{status}"
    elif isinstance(status, list):
        for one in status:
            yield from _lines(one, depth)
    else:
        for name, value in status.items():
            if isinstance(value, str):
                yield f"{'  ' * depth}{value}: {name}"
            else:
                yield f"{'  ' * depth}{name}:"
                yield from _lines(value, depth + 1)


if __name__ == "__main__":
    stoppable(partial(run, main))
