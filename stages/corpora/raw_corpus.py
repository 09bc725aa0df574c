"""A corpus as its source gives it, before the filters of the training text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import ParallelSet, Sentence


@dataclass(frozen=True)
class Corpus:
    """Parallel text before the filters. `train` is streamed; `held_out` counts pairs taken from it for dev and test."""

    train: Iterable[Sentence]
    dev: ParallelSet
    tests: Mapping[str, ParallelSet]
    gold: GoldSet | None
    tokenised: bool  # the references are tokenised text, not raw text
    held_out: int
