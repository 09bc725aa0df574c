"""One deliberate mistake in one file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class StaleError(ValueError):
    """The code has changed, and the catalogue has not followed."""


@dataclass(frozen=True)
class Mutant:
    """A mistake, and the tests that should notice it.

    Attributes:
        of: the architectures and terms whose equations it breaks, `kernels` for those in C++, or `stages` for what
            trains, translates and measures; these are every architecture's.
        path: the file that it is in, below the root of the repository.
        what: the mistake in words.
        old, new: the text that it replaces, and by what.
        tests: arguments of pytest.
    """

    of: tuple[str, ...]
    path: str
    what: str
    old: str
    new: str
    tests: str

    @property
    def name(self) -> str:
        return f"{self.path}: {self.what}"

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def in_kernels(self) -> bool:
        """Whether a compiler reads the file."""
        return self.of == ("kernels",)

    def source(self) -> str:
        """The file with the mistake in it.

        Raises:
            StaleError: the old text does not stand in the file exactly once.
        """
        text = (ROOT / self.path).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise StaleError(
                f"{self.name}: the text to replace stands there {text.count(self.old)} times instead of once, "
                f"bring tests/mutants/catalogue up to date: {self.old!r}"
            )
        return text.replace(self.old, self.new)


def mutants(of: str, path: str, tests: str, changes: Mapping[str, tuple[str, str]]) -> tuple[Mutant, ...]:
    """The mutants of one file; ``of``: names with spaces between them; ``changes``: in words -> (old, new)."""
    return tuple(Mutant((*of.split(),), path, what, old, new, tests) for what, (old, new) in changes.items())
