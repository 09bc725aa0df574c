"""Bring a DVC pipeline up to date, its jobs side by side: what `dvc repro` does one stage after the other."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import GIVEN_METRICS, WORK
from stages.pipeline.bookkeeping import Bookkeeping
from stages.pipeline.durations import Durations, trained_seconds
from stages.pipeline.dvc_processes import TEMPORARY, clear, require_none
from stages.pipeline.execute import Ended, Executor, Local, last_lines
from stages.pipeline.graph import Pipeline, Tell
from stages.pipeline.jobs import Choice, Job, choose
from stages.pipeline.lost_cache import put_back
from stages.pipeline.order import Schedule, due_jobs, seconds_left
from stages.pipeline.progress import Progress
from stages.pipeline.steps import complaint

LOGS = WORK / "logs"

POLL = 0.1
"""Seconds between two looks at what runs."""

CLEARING = 5.0
"""Seconds at the end of a run to clear up behind it; the next run does what is left."""

ESTIMATING = 50.0
"""So many times as long as an estimate of the time left took, nobody makes another one."""

REDRAW = 1.0
"""Seconds between two drawings of the bar."""


class RunRequest(NamedTuple):
    """What to bring up to date.

    slots: jobs side by side, at most; systems: the names of all, in order; only: those that are wanted, all if empty;
    seconds: system -> how long it took last time; before_jobs: what to check before any job begins, with the folder of
    DVC's cache of runs; engine: what makes an executor of this, of the lock's descriptor and of whom to tell a
    sentence; None: this machine; released: systems whose results are there.
    """

    slots: int
    systems: Sequence[str]
    only: Sequence[str]
    seconds: Mapping[str, float]
    before_jobs: Callable[[Path], None]
    engine: "Engine | None" = None
    released: Collection[str] = ()


Engine = Callable[[RunRequest, int, Tell], Executor]


class Result(NamedTuple):
    """worked: whether anything was due. left_out: jobs not run, for they need systems that are not wanted."""

    worked: bool
    left_out: list[Job]


def reproduce(request: RunRequest, lock: int) -> Result:
    """Run what is due in the pipeline of the working directory. lock: what `only_run` yields.

    Raises:
        InputError: a DVC command is at work, DVC cannot read its files, or a job failed; what did not
            depend on it was finished all the same.
    """
    GIVEN_METRICS.mkdir(parents=True, exist_ok=True)  # DVC knows no input that may be absent
    progress = Progress(request.systems)
    executor = request.engine(request, lock, progress.say) if request.engine else Local(request.slots, LOGS, lock)
    run = _Run(request, progress, executor)
    try:
        return run.result()
    finally:
        progress.close()
        executor.stop()
        run.close()
        clear(TEMPORARY, progress.say, CLEARING)  # what stopped jobs, or a look that was stopped, left


class _Run:
    """A run in progress."""

    def __init__(self, request: RunRequest, progress: Progress, executor: Executor) -> None:
        self.request, self.progress, self.executor = request, progress, executor
        self.durations = Durations(request.systems, request.seconds, request.released)
        self.began: dict[Job, float] = {}
        self.left: dict[Job, list[str]] = {}  # stages of running jobs that are not recorded yet
        self.made: dict[Job, list[str]] = {}  # and those that this run has recorded
        self.inputs: dict[Job, dict[str, str]] = {}  # of these: stage -> a sum of what it reads
        self.estimate: float | None = None
        self.next_estimate = 0.0
        self.opened: Bookkeeping | None = None

    @property
    def bookkeeping(self) -> Bookkeeping:
        assert self.opened is not None  # `result` begins with it
        return self.opened

    def close(self) -> None:
        if self.opened is not None:
            self.opened.drop_all()

    def result(self) -> Result:
        found = clear(TEMPORARY, self.progress.say)
        if found.cleared:
            self.progress.say(found.cleared)
        require_none(found)
        self.progress.say("looking at what has changed")
        self.pipeline = Pipeline()
        self.opened = Bookkeeping(self.pipeline, self.progress.say)
        put_back(self.pipeline, self.progress.say)
        wanted = self._choice()
        before = {job: waits for job, waits in self.pipeline.jobs.items() if job in wanted.jobs}
        stages = [stage for job in before for stage in job.stages]
        self.changed = set(self.pipeline.changed(stages, self.progress.say))
        due = due_jobs(before, self.changed)
        for job in before.keys() - due:
            self.executor.drop(job)
        if wanted.left_out:
            names = ", ".join(job.name for job in wanted.left_out)
            self.progress.say(
                f"only {', '.join(self.request.only)}: {names} would need the other systems and will not run"
            )
        if due:
            self.request.before_jobs(self.pipeline.cached_runs)
            self.schedule = Schedule(before, due, {job: self.durations.of(job) for job in before})
            self._run()
        return Result(bool(due), wanted.left_out)

    def _choice(self) -> Choice:
        if not self.request.only:
            return Choice(set(self.pipeline.jobs), [])
        return choose(self.pipeline.jobs, self.request.only, self.request.systems)

    def _run(self) -> None:
        schedule, drawn = self.schedule, time.monotonic()
        self.ran: set[Job] = set()
        while True:
            while len(schedule.running) < self.executor.slots and (job := schedule.begin()) is not None:
                self._begin(job)
            if not schedule.running:
                break
            self.executor.wait(POLL)
            ended = self.executor.ended()
            for _, line in self.executor.printed():
                self.progress.say(line)
            for one in ended:
                self._ended(one)
            if time.monotonic() - drawn > REDRAW:
                drawn = time.monotonic()
                self.progress.draw(schedule, self._left())
        if schedule.failed:
            raise InputError(self._failures())

    def _begin(self, job: Job) -> None:
        """Start a job, unless nothing is to be done for it now that what it waited for is there."""
        changed = self.changed
        if not self.ran.isdisjoint(self.schedule.waits[job]):
            changed = set(self.pipeline.changed(job.stages, self.progress.say))
        due = [stage for stage in job.stages if stage in changed]
        if not due:
            self.executor.drop(job)
            self.schedule.end(job, True)
            self.progress.event("", self.schedule, self._left())
            return
        self.began[job] = time.monotonic()
        self.progress.event(f"{job.name} begins", self.schedule, self._left())
        self._go_on(job, list(job.stages[job.stages.index(due[0]) :]), True)

    def _go_on(self, job: Job, stages: list[str], changed: bool = False) -> None:
        """Have the next of these stages run that has something to do. changed: whether that is known of the first."""
        try:
            for place, stage in enumerate(stages):
                if not changed and not self.pipeline.changed([stage], self.progress.say):
                    continue
                changed = False
                if self._run_from(job, stages[place:]):
                    return
        except InputError as error:
            return self._fail(job, stage, error)
        self._end(job, "")

    def _run_from(self, job: Job, stages: list[str]) -> bool:
        """Run the first of these stages, and the others with it on an engine that asks nothing in between. False: its
        outputs came from DVC's cache of runs."""
        first, together = stages[0], stages if self.executor.together else stages[:1]
        asked = self.bookkeeping.inputs(job.stages if self.executor.together else together, job.stages)
        inputs = {stage: asked[stage] for stage in together}
        if self.executor.adopt(job, together, asked):
            self.bookkeeping.note(first)
        else:
            if (step := self.bookkeeping.begin(first)) is None:
                return False
            self.executor.start(job, [step, *map(self.bookkeeping.step, together[1:])], inputs)
        self.left[job], self.inputs[job] = stages, inputs
        return True

    def _ended(self, ended: Ended) -> None:
        """A job's commands have ended: record what they made, and go on with its other stages."""
        job, stages = ended.job, self.left.pop(ended.job)
        inputs = self.inputs.pop(job)
        done = [stage for stage in ended.done if stage in inputs]  # an earlier run may have recorded some of them
        try:
            for stage in done:
                if self.bookkeeping.inputs([stage], job.stages)[stage] != inputs[stage]:
                    raise InputError("what it reads has changed while it ran; run again")
                self.bookkeeping.end(stage)
                self.made.setdefault(job, []).append(stage)
            self.executor.forget(job)
        except InputError as error:
            return self._fail(job, stage, error)
        if ended.why:
            self.bookkeeping.drop(stages[0])
            return self._end(job, ended.why)
        self._go_on(job, stages[len(done) :])

    def _fail(self, job: Job, stage: str, error: InputError) -> None:
        self.bookkeeping.drop(stage)
        self.executor.forget(job)
        self.executor.complain(job, complaint(stage, str(error)))
        self._end(job, "exit status 1")

    def _end(self, job: Job, why: str) -> None:
        seconds = time.monotonic() - self.began[job]
        self.schedule.end(job, not why)
        if why:
            self.progress.event(f"{job.name} failed: {why}", self.schedule, self._left())
            return
        self.ran.add(job)
        if made := self.made.pop(job, []):  # what came from DVC's cache took no time, and says nothing of others
            self.durations.measure(job, max(seconds, trained_seconds(self.bookkeeping.outs(made))))
        self.progress.event(f"{job.name} done in {seconds:.0f} s", self.schedule, self._left())

    def _left(self) -> float | None:
        """Estimated anew when that is cheap beside the time since the last one: with thousands of jobs it is not."""
        began = time.monotonic()
        if began > self.next_estimate:
            self.estimate = self._estimate()
            now = time.monotonic()
            self.next_estimate = now + ESTIMATING * (now - began)
        return self.estimate

    def _estimate(self) -> float | None:
        expected = self.durations.all(self.schedule.waits)
        if expected is None:
            return None
        now = time.monotonic()
        ran = {job: now - self.began[job] for job in self.schedule.running if job in self.began}
        return seconds_left(self.schedule, expected, ran, self.executor.slots)

    def _failures(self) -> str:
        text = []
        for job in self.schedule.failed:
            log = self.executor.log(job)
            lines = "".join(f"\n  | {line}" for line in last_lines(log))
            text.append(f"{job.name} failed; the end of {log}:{lines}")
        if self.schedule.stopped:
            names = ", ".join(job.name for job in self.schedule.waits if job in self.schedule.stopped)
            text.append(f"not begun because of that: {names}")
        return "\n".join([*text, "mend the cause and run again: what is done stays done"])
