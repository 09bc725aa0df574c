"""What holds for every catalogue of mistakes in files that are not Python."""

from collections import Counter
from collections.abc import Callable, Sequence

from .mutant import ROOT, Mutant


def assert_every_mistake_can_be_made(mutants: Sequence[Mutant], path: str, meaning: Callable[[str], str]) -> None:
    """In one file: a text that does not stand there exactly once is refused; what has no ``meaning`` is no mistake."""
    whole = meaning((ROOT / path).read_text(encoding="utf-8"))
    made = [meaning(mutant.source()) for mutant in mutants if mutant.path == path]
    assert whole not in made
    assert len(set(made)) == len(made)


def assert_names_differ(mutants: Sequence[Mutant]) -> None:
    assert [name for name, count in Counter(mutant.name for mutant in mutants).items() if count > 1] == []
