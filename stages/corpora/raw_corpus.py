"""A corpus as its source gives it, before the filters of the training text."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import ParallelSet, Sentence


@dataclass(frozen=True)
class Part:
    """A source of training text.

    pairs: streamed, and anew by every iteration; words: what makes a sentence pair of one, applied to those that are
    looked at only; limit: so many of its pairs that pass the filters are drawn; None: all.
    """

    name: str
    pairs: Iterable[Any]
    words: Callable[[Any], Sentence]
    limit: int | None


@dataclass(frozen=True)
class Corpus:
    """Parallel text before the filters.

    train: the sources of the training text, one after the other; held_out: pairs that were taken from it for dev and
    test; tokenised: the references are tokenised text, not raw text; straight: quotation marks are made straight before
    raw text is tokenised.
    """

    train: tuple[Part, ...]
    dev: ParallelSet
    tests: Mapping[str, ParallelSet]
    gold: GoldSet | None
    tokenised: bool
    held_out: int
    straight: bool = False


def whole(pairs: Iterable[Sentence]) -> tuple[Part, ...]:
    """The training text of a corpus that has one source, all of which is looked at."""
    return (Part("train", pairs, words=lambda pair: pair, limit=None),)
