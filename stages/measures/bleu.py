"""Corpus BLEU as sacrebleu computes it (Papineni et al. 2002; Post 2018), from rows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sacrebleu.metrics import BLEU

from stages.measures.ratio import ratio

ORDER = 4
SMOOTHING = "exp"


class Counts(NamedTuple):
    """`correct_n`: n-grams of the system that a reference has too, each at most as often as the reference that has most
    of it (clipped); `total_n`: all n-grams of the system."""

    system_length: int
    reference_length: int
    correct_1: int
    correct_2: int
    correct_3: int
    correct_4: int
    total_1: int
    total_2: int
    total_3: int
    total_4: int


class BleuScore(NamedTuple):
    """Arrays (...), precisions (..., ORDER). score and precisions in percent; brevity_penalty in [0, 1]; length_ratio =
    words of the system / words of the references (nan without reference words)."""

    score: np.ndarray
    precisions: np.ndarray
    brevity_penalty: np.ndarray
    length_ratio: np.ndarray

    @property
    def bleu1(self) -> np.ndarray:
        """BP p_1 in percent (...); mteval-v11b's cumulative 1-gram score if the counts are `bleu_v11b`'s."""
        return self.brevity_penalty * self.bleu1_individual

    @property
    def bleu1_individual(self) -> np.ndarray:
        """p_1 without brevity penalty in percent (...): mteval-v11b's individual 1-gram score of such counts."""
        return self.precisions[..., 0]


def scorer(tokenize: str, lowercase: bool) -> BLEU:
    """What `statistics` needs: sacrebleu's tokeniser of that name, and whether case counts."""
    # effective_order only silences sacrebleu about sentence-level scores: rows carry counts, which it does not touch.
    return BLEU(tokenize=tokenize, lowercase=lowercase, smooth_method="none", effective_order=True, force=True)


def signature(tokenize: str, lowercase: bool, references: int) -> str:
    """sacrebleu's signature of what `of_totals` computes with that many references a sentence."""
    corpus_scorer = BLEU(
        tokenize=tokenize, lowercase=lowercase, smooth_method=SMOOTHING, references=[[""]] * references
    )
    return str(corpus_scorer.get_signature())


def statistics(hypothesis: str, references: Sequence[str], scorer: BLEU) -> Counts:
    """Counts of one sentence; the reference length is that of the reference closest in length, of two the shorter."""
    score = scorer.sentence_score(hypothesis, references)
    return Counts(score.sys_len, score.ref_len, *score.counts, *score.totals)


def of_totals(totals: np.ndarray) -> BleuScore:
    """totals: (..., 10) summed `Counts`. Without any match the score is 0.

    Smoothing `exp` (mteval-v13a): the k-th order without a match counts as 2^-k matches.
    """
    correct = np.asarray(totals, float)[..., 2 : 2 + ORDER]
    smoothed = np.where(correct > 0, correct, 0.5 ** np.cumsum(correct == 0, axis=-1))
    return combine(totals, np.where(correct.any(axis=-1, keepdims=True), smoothed, 0.0))


def combine(totals: np.ndarray, correct: np.ndarray) -> BleuScore:
    """BP times the geometric mean of the precisions, BP = exp(min(0, 1 - reference length / system length)).

    totals: (..., 10) summed `Counts`; correct: (..., ORDER), their matches, smoothed or not. An order of which the
    system has no n-gram has a precision of 0. Without words of the system BP is 0, or 1 if the references have none.
    """
    totals = np.asarray(totals, float)
    system_length, reference_length, total = totals[..., 0], totals[..., 1], totals[..., 2 + ORDER :]
    precisions = np.where(total > 0, 100 * ratio(correct, total), 0.0)
    penalty = np.where(
        system_length > 0, np.exp(np.minimum(0, 1 - ratio(reference_length, system_length))), reference_length == 0
    )
    with np.errstate(divide="ignore"):  # log 0 = -inf is what makes the score 0
        mean = np.exp(np.log(precisions).mean(axis=-1))
    return BleuScore(penalty * mean, precisions, penalty, ratio(system_length, reference_length))
