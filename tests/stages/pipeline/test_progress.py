"""What is said about a run, and how much of it is left."""

import io

import pytest

from stages.pipeline import progress as progress_module
from stages.pipeline.jobs import Job
from stages.pipeline.order import Schedule
from stages.pipeline.progress import Progress, state, time_left

CORPUS = Job(("corpus",))
A1, A2, B1, C1 = (Job((f"train@{name}",), frozenset({name, name[0]})) for name in ("a-1", "a-2", "b-1", "c-1"))
BEFORE = {CORPUS: set(), A1: {CORPUS}, A2: {CORPUS}, B1: {CORPUS}, C1: {B1}}


def run(*ends: tuple[Job, bool]) -> Schedule:
    """A schedule in which these jobs have ended, well or not, and one more has begun."""
    schedule = Schedule(BEFORE, set(BEFORE), {})
    for job, well in ends:
        schedule.take(job)
        schedule.end(job, well)
    schedule.begin()
    return schedule


@pytest.mark.parametrize(
    ("ends", "systems", "expected"),
    [
        ([], "abc", "0 of 3 systems done, 0 running, 3 waiting; 0 of 5 jobs done"),
        ([(CORPUS, True)], "abc", "0 of 3 systems done, 1 running, 2 waiting; 1 of 5 jobs done"),
        ([(CORPUS, True), (A1, True)], "abc", "0 of 3 systems done, 1 running, 2 waiting; 2 of 5 jobs done"),
        (
            [(CORPUS, True), (A1, True), (A2, True)],
            "abc",
            "1 of 3 systems done, 1 running, 1 waiting; 3 of 5 jobs done",
        ),
        ([(CORPUS, True), (B1, False)], "abc", "0 of 3 systems done, 1 running, 0 waiting, 2 failed; 1 of 5 jobs done"),
        ([(CORPUS, True)], "", "1 of 5 jobs done"),
    ],
)
def test_a_system_is_done_when_all_its_jobs_are(ends, systems, expected):
    assert state(run(*ends), systems) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (None, "time left unknown"),
        (0.2, "about 0 s left"),
        (89.0, "about 89 s left"),
        (90.0, "about 2 min left"),
        (3600.0, "about 60 min left"),
        (9000.0, "about 2.5 h left"),
    ],
)
def test_the_time_left_in_words(seconds, expected):
    assert time_left(seconds) == expected


def test_without_a_terminal_an_event_is_a_line_and_nothing_else_is_drawn():
    stream = io.StringIO()
    progress = Progress("abc", stream)
    progress.event("train@a-1 begins", run((CORPUS, True)), 75.0)
    progress.event("", run(), None)
    progress.draw(run(), None)
    progress.close()
    assert stream.getvalue() == (
        "train@a-1 begins (0 of 3 systems done, 1 running, 2 waiting; 1 of 5 jobs done; about 75 s left)\n"
    )


def test_without_a_terminal_a_long_silence_is_broken_by_what_runs(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    progress, schedule = Progress("abc", stream), run((CORPUS, True))
    for now[0] in (101.0, 110.0, 114.5, 115.0, 128.0, 129.0):
        progress.draw(schedule, 30.0)
    line = "at work: train@a-1 (0 of 3 systems done, 1 running, 2 waiting; 1 of 5 jobs done; about 30 s left)\n"
    assert stream.getvalue() == 2 * line
