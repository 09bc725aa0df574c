"""The processes of a training on several GPUs: begun together, and ended together whatever becomes of one of them.

They are children of the train stage, which holds the scratch folder's lock, waits and publishes. They stay in its
process group, so that a signal to that group stops them too: torchrun would give each of them a session of its own.
``torch.multiprocessing.spawn`` ends them by signals that can be ignored, and makes a traceback of every sentence.
"""

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType

import torch

from stages.files.errors import InputError
from stages.files.lifetime import end_with
from stages.settings.params import PARAMS
from stages.training.distributed import joined
from stages.training.process_group import ProcessGroup

WITHOUT_GPUS = "TRAINING_WITHOUT_GPUS"
"""Environment variable of the tests: ``gloo`` lets several processes train on a machine that has no GPU."""

STOPPED = 128 + signal.SIGTERM
LEAVES_WITHIN = 10
"""Seconds that the first process has to end, once another has."""


def check_gpus(gpus: int) -> None:
    """Raise InputError where this machine has fewer."""
    there = torch.cuda.device_count()
    if gpus > there and (there or os.environ.get(WITHOUT_GPUS) != "gloo"):
        found = f"{there} GPU{'s' if there > 1 else ''}" if there else "no GPU"
        raise InputError(f"{PARAMS}: training.gpus is {gpus}, but this machine has {found}; set {max(1, there)}")


def run_workers(count: int, work: Callable[[ProcessGroup], None]) -> None:
    """``work`` in ``count`` processes, each with its group; returns when all have ended well.

    SIGTERM is the first one's to answer, which saves; this process ends with the status that it then has.

    Args:
        work: can be pickled; each process imports its module anew.

    Raises:
        InputError: one of them died. The others are killed.
        Exception: what one of them raised, if it is an InputError or an error of the system.
    """
    context = get_context("spawn")  # a forked process cannot use CUDA
    workers: list[BaseProcess] = []
    failures: list[Connection] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        if workers and workers[0].is_alive():
            workers[0].terminate()  # a signal to the group has reached it too: one more changes nothing

    handler = signal.signal(signal.SIGTERM, pass_on)
    with tempfile.TemporaryDirectory(prefix="workers-") as folder:
        try:
            for rank in range(count):
                failure, told = context.Pipe(duplex=False)
                given = (rank, count, Path(folder) / "meeting", os.getpid(), told, work)
                workers.append(context.Process(target=_worker, args=given, daemon=True))
                failures.append(failure)
                workers[-1].start()
                told.close()
            _wait(workers, failures)
        finally:
            for worker in workers:
                if worker.pid is not None:
                    worker.kill()
                    worker.join()
            signal.signal(signal.SIGTERM, handler)


def _wait(workers: Sequence[BaseProcess], failures: Sequence[Connection]) -> None:
    """Until all have ended well, or one has not."""
    running = {worker.sentinel: rank for rank, worker in enumerate(workers)}
    while running:
        for sentinel in wait(list(running)):
            assert isinstance(sentinel, int)
            rank = running.pop(sentinel)
            workers[rank].join()
            if workers[rank].exitcode and rank > 0:
                workers[0].join(LEAVES_WITHIN)  # one that loses the first as that leaves, having saved, may end sooner
            if STOPPED in (workers[0].exitcode, workers[rank].exitcode):
                sys.exit(STOPPED)
            if code := workers[rank].exitcode:
                raise _cause(failures) or InputError(
                    f"process {rank + 1} of {len(workers)} that train together {_end(code)}; run "
                    "again, and training goes on from the last save"
                )


def _cause(failures: Sequence[Connection]) -> Exception | None:
    """What one of the processes has told; that another one lost it thereby may have been seen first."""
    for failure in failures:
        try:
            if failure.poll():
                return failure.recv()
        except EOFError:  # it told nothing
            continue
    return None


def _end(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed (status {code}), see above"


def _worker(
    rank: int, count: int, meeting: Path, parent: int, told: Connection, work: Callable[[ProcessGroup], None]
) -> None:  # fmt: skip
    end_with(parent, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's reaches the parent too, who ends this process
    if rank > 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the first one answers it: its loop, or before that its end
    try:
        with joined(rank, count, meeting) as group:
            work(group)
    except (InputError, OSError) as error:
        told.send(error)
        sys.exit(1)
