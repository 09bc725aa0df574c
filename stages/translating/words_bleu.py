"""BLEU of dev, by which checkpoints and penalties are chosen."""

from collections.abc import Iterable

import numpy as np

from stages.measures import bleu
from stages.text.pieces import merge_pieces
from stages.translating.decoding import Decoded


def words_bleu(found: Iterable[Decoded], references: Iterable[str]) -> float:
    """Case-insensitive corpus BLEU of the words that the pieces spell, in percent; references: a line of words each."""
    scorer = bleu.scorer("none", lowercase=True)
    pieces = (one.target[:-1] if one.finished else one.target for one in found)  # without the end of sentence
    rows = [
        bleu.statistics(" ".join(merge_pieces(target)), [reference], scorer)
        for target, reference in zip(pieces, references, strict=True)
    ]
    return float(bleu.of_totals(np.sum(rows, axis=0)).score)
