"""BLEU against what NIST's script mteval-v11b printed for a made-up set with three references of different lengths.

`perl mteval-v11b.pl -b` prints four decimals of the cumulative and of the individual score of every order.
"""

import numpy as np
import pytest

from stages.measures import bleu, bleu_v11b
from tests.stages.measures.test_bleu_v11b import naive_v11b
from tests.stages.measures.translations import rows_of

HYPOTHESES = [
    "The Cat sat on the mat and the the did .",
    "Prices rose in July",
    "He doesn't know the famous man",
    "And This is the End of it",
]
REFERENCES = [
    (
        "The cat was sitting quietly on the old mat , and it did not want to move at all .",
        "the cat sat on the mat and did not move .",
        "On the mat sat the cat ; it did not move .",
    ),
    (
        "In July , prices rose by 3.5% , said the bank .",
        "The bank said prices rose 3.5% in July .",
        "According to what the bank has said , prices had risen by 3.5% in the month of July .",
    ),
    (
        "He does n't know that man .",
        "He doesn't know the famous man at all .",
        "The well-known man is unknown to him .",
    ),
    ("The end .", "this is the end of it all .", "And that is what we call the very end of it ."),
]
CUMULATIVE = [0.8342, 0.7497, 0.6898, 0.6552]
INDIVIDUAL = [0.9286, 0.7500, 0.6500, 0.6250]


def test_every_order_is_what_the_script_prints():
    score = bleu_v11b.of_totals(rows_of(bleu_v11b.statistics, HYPOTHESES, REFERENCES).sum(axis=0))
    assert score.precisions / 100 == pytest.approx(INDIVIDUAL, abs=5e-5)
    cumulative = np.exp(np.log(score.precisions / 100).cumsum() / [1, 2, 3, 4]) * score.brevity_penalty
    assert cumulative == pytest.approx(CUMULATIVE, abs=5e-5)
    assert (score.score / 100, score.bleu1 / 100) == pytest.approx((CUMULATIVE[3], CUMULATIVE[0]), abs=5e-5)
    assert score.bleu1_individual / 100 == pytest.approx(INDIVIDUAL[0], abs=5e-5)
    assert naive_v11b(HYPOTHESES, REFERENCES) / 100 == pytest.approx(CUMULATIVE[3], abs=5e-5)


def test_the_set_tells_the_scores_apart():
    """Three references of three lengths: the closest, the average and the shortest differ; so do the tokenisers."""
    assert {len({len(one.split()) for one in several}) for several in REFERENCES} == {3}
    closest = bleu.of_totals(
        rows_of(bleu.statistics, HYPOTHESES, REFERENCES, bleu.scorer("13a", lowercase=True)).sum(axis=0)
    )
    words = bleu.of_totals(
        rows_of(bleu.statistics, HYPOTHESES, REFERENCES, bleu.scorer("none", lowercase=True)).sum(axis=0)
    )
    others = [closest.bleu1 / 100, words.bleu1 / 100]
    assert min(abs(other - CUMULATIVE[0]) for other in others) > 0.01
