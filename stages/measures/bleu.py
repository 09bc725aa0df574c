"""Corpus BLEU as sacrebleu computes it (Papineni et al. 2002; Post 2018), from rows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sacrebleu.metrics import BLEU

ORDER = 4
SMOOTHING = "exp"


class BleuScore(NamedTuple):
    """score and precisions in percent; brevity_penalty in [0, 1]; length_ratio = hypothesis / closest reference words
    (nan without reference words)."""

    score: float
    precisions: tuple[float, ...]
    brevity_penalty: float
    length_ratio: float


def scorer(tokenize: str, lowercase: bool) -> BLEU:
    """What `statistics` needs: sacrebleu's tokeniser of that name, and whether case counts."""
    # effective_order only silences sacrebleu about sentence-level scores: rows carry counts, which it does not touch.
    return BLEU(tokenize=tokenize, lowercase=lowercase, smooth_method="none", effective_order=True, force=True)


def signature(tokenize: str, lowercase: bool, references: int) -> str:
    """sacrebleu's signature of what `aggregate` computes with that many references a sentence."""
    corpus_scorer = BLEU(
        tokenize=tokenize, lowercase=lowercase, smooth_method=SMOOTHING, references=[[""]] * references
    )
    return str(corpus_scorer.get_signature())


def statistics(hypothesis: str, references: Sequence[str], scorer: BLEU) -> tuple[int, ...]:
    """Counts of one sentence, 2 + 2 * ORDER: hypothesis words, words of the reference closest in length, matched
    n-grams (clipped by the reference that has most of them), n-grams of the hypothesis, n = 1 ... ORDER."""
    score = scorer.sentence_score(hypothesis, references)
    return (score.sys_len, score.ref_len, *score.counts, *score.totals)


def of_totals(totals: np.ndarray) -> BleuScore:
    """totals: (2 + 2 * ORDER,) summed rows."""
    hypothesis_length, reference_length, *counts = np.asarray(totals).tolist()
    score = BLEU.compute_bleu(
        correct=counts[:ORDER],
        total=counts[ORDER:],
        sys_len=hypothesis_length,
        ref_len=reference_length,
        smooth_method=SMOOTHING,
    )
    length_ratio = hypothesis_length / reference_length if reference_length else float("nan")
    return BleuScore(score.score, tuple(score.precisions), score.bp, length_ratio)


def aggregate(rows: np.ndarray) -> BleuScore:
    """rows: (N, 2 + 2 * ORDER), one row of `statistics` a sentence."""
    return of_totals(np.sum(rows, axis=-2))
