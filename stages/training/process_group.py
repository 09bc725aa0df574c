"""The processes that train one system together: as a rule one, alone."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class ProcessGroup:
    """What the training loop knows of the processes beside its own; here there are none.

    Attributes:
        rank: number of this process. The first, 0, saves, logs, translates dev and reports; no other writes a file.
        arguments: of ``fairseq-train``, what this process needs beyond those that all have.
    """

    rank: int = 0
    arguments: tuple[str, ...] = ()

    @property
    def first(self) -> bool:
        """Whether this process writes and speaks for all."""
        return self.rank == 0

    def agree(self, make: Callable[[], T]) -> T:
        """In every process what the first one makes, for which the others wait."""
        return make()


ALONE = ProcessGroup()
