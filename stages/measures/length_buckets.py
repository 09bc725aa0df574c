"""BLEU by length of the SOURCE sentence in words (Kuang et al. 2018, Figure 6): (0, 10], ..., (40, 50] and longer.

The paper's text names no edge but 50; the others are a choice of ours.
"""

from collections.abc import Sequence

import numpy as np

from stages.measures import bleu

EDGES = (10, 20, 30, 40, 50)
"""The longest length of each bucket but the last, which has none."""

BUCKETS = (*(f"{low + 1}-{high}" for low, high in zip((0, *EDGES[:-1]), EDGES, strict=True)), f">{EDGES[-1]}")


def bucket(source_lengths: Sequence[int]) -> np.ndarray:
    """Index into `BUCKETS` of each sentence, (N,). Raises ValueError if a source sentence has no word."""
    lengths = np.asarray(source_lengths, int)
    if (lengths < 1).any():
        raise ValueError(f"source sentence {int((lengths < 1).argmax())} (from 0) is empty and belongs to no bucket")
    return np.searchsorted(EDGES, lengths, side="left")


def aggregate(rows: np.ndarray, source_lengths: Sequence[int]) -> dict[str, dict[str, float | int | None]]:
    """Corpus BLEU (percent) and sentences of each bucket; the BLEU of a bucket without sentences is None.

    rows: (N, 10), one `bleu.Counts` a sentence; source_lengths: (N,) words.
    """
    buckets = bucket(source_lengths)
    totals = np.zeros((len(BUCKETS), len(bleu.Counts._fields)))
    np.add.at(totals, buckets, rows)
    scores = bleu.of_totals(totals).score
    sentences = np.bincount(buckets, minlength=len(BUCKETS))
    return {
        name: {"bleu": float(score) if count else None, "sentences": int(count)}
        for name, score, count in zip(BUCKETS, scores, sentences, strict=True)
    }
