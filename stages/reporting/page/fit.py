"""How much of the sentences the page holds, and how finely: as much as fits."""

from collections.abc import Sequence
from typing import NamedTuple

from stages.reporting.page.blocks import set_block, side_block
from stages.reporting.sentence_sets import SentenceSet

LEVELS = (100, 50, 20, 10)
"""Steps between a weight of 0 and of 1: with 100 the page shows weights as they are, to two digits."""


SURE = 0.98
"""Of the sentences that would fit if all were as long: so many are tried."""


class Packed(NamedTuple):
    """blocks: by name, `<set>` and `<set>-<system>`, both counted from 0; sentences: at most that many of every set."""

    blocks: dict[str, str]
    levels: int
    sentences: int

    @property
    def size(self) -> int:
        return sum(map(len, self.blocks.values()))


def fit(sets: Sequence[SentenceSet], room: int) -> Packed:
    """The finest and longest, or almost, that takes at most `room` characters; one sentence a set always stays.

    Coarser weights first, for a coarse map still shows where a system looks; then fewer sentences.
    """
    sentences = max(len(one.source) for one in sets)
    packed = pack(sets, LEVELS[-1], sentences)
    if packed.size <= room:
        finer = (pack(sets, levels, sentences) for levels in LEVELS[:-1])
        return next((one for one in finer if one.size <= room), packed)
    while packed.size > room and packed.sentences > 1:
        packed = pack(sets, LEVELS[-1], max(1, int(packed.sentences * SURE * room / packed.size)))
    return packed


def pack(sets: Sequence[SentenceSet], levels: int, sentences: int) -> Packed:
    """The first `sentences` of every set."""
    blocks = {}
    for i, one in enumerate(sets):
        blocks[f"{i}"] = set_block(one, sentences)
        for k, side in enumerate(one.sides.values()):
            blocks[f"{i}-{k}"] = side_block(side, one.forced, sentences, levels)
    return Packed(blocks, levels, sentences)
