"""Many mutants, each in a child process that starts where ``ask.prepare`` has left this one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import Process, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from .ask import Answer, ask, collected, passing
from .kernel_file import compile_headers
from .mutant import Mutant

LIMIT = 300  # seconds for a mutant; on an idle machine it takes one or two, and ten more in C++


class _Child(NamedTuple):
    mutant: Mutant
    process: Process
    begun: float


def answers(
    mutants: Sequence[Mutant], jobs: int, likely: Mapping[str, str], headers: Path
) -> Iterator[tuple[Mutant, Answer]]:
    """Each mutant with its answer, in the order in which they end; ``jobs`` at a time.

    Args:
        likely: the test to begin with, by the mutant's name.
        headers: the folder that ``kernels_unbuildable`` has filled if there are mistakes in C++.
    """
    waiting, running = list(mutants), {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            process, connection = _started(partial(ask, likely=likely.get(mutant.name), headers=headers), mutant)
            running[connection] = _Child(mutant, process, monotonic())
        ended = wait(list(running), timeout=1)
        late = [connection for connection, child in running.items() if monotonic() - child.begun > LIMIT]
        for connection in {*ended, *late}:
            child = running.pop(connection)
            seconds = monotonic() - child.begun
            try:
                yield child.mutant, connection.recv() if connection in ended else Answer(None, "too slow", seconds)
            except EOFError:
                yield child.mutant, Answer(None, "the process died", seconds)
            child.process.kill()
            child.process.join()


def passing_unbroken(tests: Sequence[str], jobs: int) -> set[str]:
    """Those of ``tests`` that pass on the code as it is; asked in as many as ``jobs`` processes."""
    parts = [tests[k::jobs] for k in range(min(jobs, len(tests)))]  # none is empty: pytest would take that for all
    children = [_started(passing, part) for part in parts]
    return {test for child in children for test in _received(*child)}


def there_are(tests: Sequence[str], *options: str) -> set[str]:
    """Those of ``tests`` that there are, and that pytest chooses with these options."""
    return _found(partial(collected, options), tests)


def kernels_unbuildable(headers: Path) -> str | None:
    """Makes ready in the folder ``headers`` for mistakes in C++; why that cannot be done, None if it is."""
    return _found(compile_headers, headers)


def _found(function: Callable, argument):
    return _received(*_started(function, argument))


def _received(process: Process, connection: Connection):
    found = connection.recv()
    process.join()
    return found


def _started(function: Callable, argument) -> tuple[Process, Connection]:
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, function, argument))
    process.start()
    sender.close()
    return process, receiver


def _send(sender: Connection, function: Callable, argument) -> None:
    sender.send(function(argument))
