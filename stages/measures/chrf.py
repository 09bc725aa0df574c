"""chrF2 as sacrebleu computes it (Popovic 2015): character n-grams, n = 1 ... 6, without spaces, case-sensitive, recall
weighed twice as much as precision."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sacrebleu.metrics import CHRF

from stages.measures.ratio import ratio

BETA = CHRF.BETA


class Counts(NamedTuple):
    """Character n-grams of the system, of the reference, and of both (clipped)."""

    system_1: int
    reference_1: int
    both_1: int
    system_2: int
    reference_2: int
    both_2: int
    system_3: int
    reference_3: int
    both_3: int
    system_4: int
    reference_4: int
    both_4: int
    system_5: int
    reference_5: int
    both_5: int
    system_6: int
    reference_6: int
    both_6: int


_SCORER = CHRF()


def signature(references: int) -> str:
    """sacrebleu's signature of what `of_totals` computes with that many references a sentence."""
    return str(CHRF(references=[[""]] * references).get_signature())


def statistics(hypothesis: str, references: Sequence[str]) -> Counts:
    """Counts of one sentence with the reference that gives it the highest chrF2, of equals the first."""
    # sacrebleu has no public name for these counts; its own significance tests ask for them like this.
    (counts,) = _SCORER._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
    return Counts(*counts)


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 18) summed `Counts` -> percent (...).

    The F-score of the mean precision and the mean recall over the orders of which both sides have n-grams; 0 without
    any match, also if there was nothing to match, as in sacrebleu.
    """
    totals = np.asarray(totals, float)
    system, reference, both = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
    counted = (system > 0) & (reference > 0)
    orders = counted.sum(axis=-1)
    precision = ratio(np.where(counted, ratio(both, system), 0.0).sum(axis=-1), orders)
    recall = ratio(np.where(counted, ratio(both, reference), 0.0).sum(axis=-1), orders)
    return 100 * np.nan_to_num(ratio((1 + BETA**2) * precision * recall, BETA**2 * precision + recall))
