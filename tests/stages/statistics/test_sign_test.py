"""The sign test against the binomial test and corpus scores."""

import math

import numpy as np
import pytest
import scipy.stats

from stages.statistics.sign_test import normal_interval, sign_test, signs
from tests.stages.statistics.pairs import METRICS, mean, rows_of


@pytest.mark.parametrize(
    ("better", "worse", "p"), [(8, 2, 0.1094), (2, 8, 0.1094), (60, 40, 0.0569), (5, 5, 1), (0, 0, 1), (1, 0, 1)]
)
def test_sign_test(better, worse, p):
    assert sign_test(better, worse) == pytest.approx(p, abs=5e-5)


@pytest.mark.parametrize(("better", "worse"), [(0, 9), (10, 10), (11, 10), (300, 250), (5200, 4800), (70_000, 30_000)])
def test_sign_test_is_the_binomial_test(better, worse):
    theirs = scipy.stats.binomtest(better, better + worse).pvalue
    assert sign_test(better, worse) == pytest.approx(theirs, rel=1e-7)


def test_normal_interval():
    assert normal_interval(60, 40, 0.95) == pytest.approx((0.504, 0.696), abs=5e-4)
    assert normal_interval(60, 40, 0.99) == pytest.approx((0.474, 0.726), abs=5e-4)
    assert all(map(math.isnan, normal_interval(0, 0, 0.95)))


def test_signs_are_those_of_corpus_bleu(texts):
    system, baseline, references = (lines[:40] for lines in texts)
    system = [*system[:38], *baseline[38:]]
    metric, value = METRICS["BLEU"]

    def score(lines):
        return metric.corpus_score(lines, [references]).score

    changes = [score([*baseline[:k], system[k], *baseline[k + 1 :]]) - score(baseline) for k in range(len(references))]
    found = signs(*(rows_of(metric, lines, references) for lines in (system, baseline)), value)
    assert found == (
        sum(d > 1e-9 for d in changes),
        sum(d < -1e-9 for d in changes),
        sum(abs(d) <= 1e-9 for d in changes),
    )
    assert found.ties >= 2


def test_rounding_makes_no_sign():
    random = np.random.default_rng(0)
    baseline = [random.random((101, 2)) + 1]
    assert signs(baseline, baseline, mean) == (0, 0, 101)
    # the same value by another path: both columns change in the corpus's own proportion
    proportion = baseline[0].sum(0) / baseline[0].sum()
    path = [baseline[0] + random.normal(size=(101, 1)) * proportion]
    assert len({float(mean(baseline[0].sum(0) + change)) for change in path[0] - baseline[0]}) > 1
    assert signs(path, baseline, mean) == signs(baseline, path, mean) == (0, 0, 101)
    with pytest.raises(ValueError, match="differ"):
        signs([baseline[0][1:]], baseline, mean)
