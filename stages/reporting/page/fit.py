"""How much of the sentences the page holds, and how finely: as much as fits."""

from collections.abc import Sequence
from typing import NamedTuple

from stages.reporting.page.blocks import set_block, side_block
from stages.reporting.sentence_sets import SentenceSet

LEVELS = (100, 50, 20, 10)
"""Steps between a weight of 0 and of 1: with 100 the page shows weights as they are, to two digits."""


class Packed(NamedTuple):
    """blocks: by name, `<set>` and `<set>-<system>`, both counted from 0; sentences: at most that many of every set."""

    blocks: dict[str, str]
    levels: int
    sentences: int

    @property
    def size(self) -> int:
        return sum(map(len, self.blocks.values()))


def fit(sets: Sequence[SentenceSet], room: int) -> Packed:
    """The finest and longest that takes at most `room` characters; one sentence a set always stays.

    Coarser weights first, for a coarse map still shows where a system looks; then fewer sentences.
    """
    everything = max(len(one.source) for one in sets)
    for levels in LEVELS:
        packed = pack(sets, levels, everything)
        if packed.size <= room:
            return packed
    fits, too_many = pack(sets, LEVELS[-1], 1), everything
    while too_many - fits.sentences > 1:
        packed = pack(sets, LEVELS[-1], (fits.sentences + too_many) // 2)
        if packed.size <= room:
            fits = packed
        else:
            too_many = packed.sentences
    return fits


def pack(sets: Sequence[SentenceSet], levels: int, sentences: int) -> Packed:
    """The first `sentences` of every set."""
    blocks = {}
    for i, one in enumerate(sets):
        blocks[f"{i}"] = set_block(one, sentences)
        for k, side in enumerate(one.sides.values()):
            blocks[f"{i}-{k}"] = side_block(side, one.forced, sentences, levels)
    return Packed(blocks, levels, sentences)
