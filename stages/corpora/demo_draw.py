"""Drawing at random for the demo corpus: the same choices in both wordings of a sentence."""

from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Draws with `rng`.

    With `paraphrase` the English is another wording of the same Chinese. The drawing is the same in both cases, so two
    instances with equally seeded generators give two translations of one sentence.
    """

    def __init__(self, rng: Random, paraphrase: bool) -> None:
        self.rng = rng
        self.paraphrase = paraphrase

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def wording(self, usual: T, other: T) -> T:
        return other if self.paraphrase else usual
