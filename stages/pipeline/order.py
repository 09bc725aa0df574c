"""In which order jobs begin, and how long the rest will take. Knows neither processes nor a clock."""

import heapq
from collections.abc import Collection, Mapping, Set
from math import inf

from stages.pipeline.jobs import Before, Job


def due_jobs(before: Before, changed: Collection[str]) -> set[Job]:
    """The jobs of which a stage is changed, or that a due one is before."""
    due: set[Job] = set()
    for job, waits in before.items():
        if waits & due or not set(changed).isdisjoint(job.stages):
            due.add(job)
    return due


class Schedule:
    """What is left of a run: jobs that wait, run, have ended, and that cannot begin since another one failed.

    A job that is not due counts as done. Of those that can begin, the one with the longest way to the end comes first,
    so that no long one is left to run alone at the end.

    seconds: job -> how long it is expected to take; inf for a system of which nobody knows.
    """

    def __init__(self, before: Before, due: Set[Job], seconds: Mapping[Job, float]) -> None:
        self.waits = {job: before[job] & due for job in before if job in due}
        self.running: list[Job] = []
        self.done: list[Job] = []
        self.failed: list[Job] = []
        self.stopped: dict[Job, Job] = {}  # job that cannot begin -> the one that failed
        self._followers: dict[Job, list[Job]] = {job: [] for job in self.waits}
        for job, jobs in self.waits.items():
            for one in jobs:
                self._followers[one].append(job)
        self._missing = {job: len(jobs) for job, jobs in self.waits.items()}
        self._place = _places(self.waits, self._followers, seconds)
        self._ready = [(self._place[job], job) for job, missing in self._missing.items() if not missing]
        heapq.heapify(self._ready)

    @property
    def waiting(self) -> list[Job]:
        """Jobs that have not begun, and may."""
        gone = {*self.running, *self.done, *self.failed, *self.stopped}
        return [job for job in self.waits if job not in gone]

    def begin(self) -> Job | None:
        """The next job, running from now on; None if none can begin before another one has ended."""
        if not self._ready:
            return None
        return self.take(self._ready[0][1])

    def take(self, job: Job) -> Job:
        """`job`, which can begin, is running from now on."""
        self._ready.remove((self._place[job], job))
        heapq.heapify(self._ready)
        self.running.append(job)
        return job

    def end(self, job: Job, well: bool) -> None:
        """`job` has ended; if not well, what depends on it will not begin."""
        self.running.remove(job)
        (self.done if well else self.failed).append(job)
        if well:
            for follower in self._followers[job]:
                self._missing[follower] -= 1
                if not self._missing[follower] and follower not in self.stopped:
                    heapq.heappush(self._ready, (self._place[follower], follower))
            return
        lost = list(self._followers[job])
        while lost:
            one = lost.pop()
            if one not in self.stopped:
                self.stopped[one] = job
                lost += self._followers[one]


def seconds_left(schedule: Schedule, seconds: Mapping[Job, float], ran: Mapping[Job, float], slots: int) -> float:
    """From now to the end of the last job, if what is left begins in the same order on `slots` at a time.

    seconds: as expected for the whole of each job; ran: how long those that run have done so.
    """
    left = {job: max(0.0, seconds[job] - ran.get(job, 0.0)) for job in seconds}
    jobs = [*schedule.running, *schedule.waiting]
    rest = Schedule({job: schedule.waits[job] & set(jobs) for job in jobs}, set(jobs), left)
    clock, ends = 0.0, [(left[job], job) for job in schedule.running]
    for job in schedule.running:
        rest.take(job)
    heapq.heapify(ends)
    while True:
        while len(ends) < slots and (begun := rest.begin()) is not None:
            heapq.heappush(ends, (clock + left[begun], begun))
        if not ends:
            return clock
        clock, ended = heapq.heappop(ends)
        rest.end(ended, True)


def _places(waits: Before, followers: Mapping[Job, list[Job]], seconds: Mapping[Job, float]) -> dict[Job, int]:
    """Job -> its place among those that can begin: by the seconds from its beginning to the end of the longest that
    waits for it, the most first; those of equal time in the order of the graph."""
    remaining: dict[Job, float] = {}
    for job in reversed(waits):
        remaining[job] = seconds.get(job, inf) + max((remaining[one] for one in followers[job]), default=0.0)
    ordered = sorted(waits, key=lambda job: -remaining[job])
    return {job: place for place, job in enumerate(ordered)}
