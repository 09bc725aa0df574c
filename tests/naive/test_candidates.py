"""The softmax over a candidate list, its reference implementation: by hand."""

import math

import numpy as np
import pytest

from tests.naive import Params
from tests.naive.candidates import candidate_log_likelihood, candidate_log_softmax
from tests.naive.gradient import directional
from tests.naive.system import log_likelihood

LOGITS = np.log(np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])) + 1000


def test_candidate_softmax_by_hand():
    """0.3 and 0.1 of 0.4; a word named twice counts once."""
    log_p = candidate_log_softmax(LOGITS[0], [3, 1, 3])
    np.testing.assert_allclose(np.exp(log_p), [0, 0.75, 0, 0.25], atol=1e-12)
    assert log_p[0] == log_p[2] == -math.inf
    assert candidate_log_likelihood(LOGITS, [1, 3], [1, 3]) == pytest.approx(
        math.log(3 / 4) + math.log(4 / 6), abs=1e-12
    )


def test_all_candidates_are_the_softmax_and_fewer_are_likelier():
    logits = np.random.default_rng(32).normal(0, 3, (4, 9))
    targets, full = [5, 2, 8, 2], range(9)
    whole = log_likelihood(logits, targets)
    assert candidate_log_likelihood(logits, targets, full) == pytest.approx(whole, abs=1e-12)
    for without in ({0}, {0, 1, 3}, {0, 1, 3, 4, 6, 7}):
        assert candidate_log_likelihood(logits, targets, set(full) - without) > whole + 1e-6
    for o in logits:
        assert np.exp(candidate_log_softmax(o, {1, 4, 6})).sum() == pytest.approx(1, abs=1e-14)


def test_candidate_softmax_by_the_complex_step():
    """d log p(y) / d o = 1 at y minus p, and exactly 0 at words that are no candidates."""

    def f(p: Params) -> complex | float:
        return candidate_log_likelihood(p["o"][None], [3], [1, 3])

    slopes = [directional(f, {"o": LOGITS[0]}, {"o": unit}) for unit in np.eye(4)]
    np.testing.assert_allclose(slopes, [0, -0.75, 0, 0.75], atol=1e-12)


@pytest.mark.parametrize("candidates", [[], [4], [-1, 2]])
def test_refused_candidates(candidates):
    with pytest.raises(ValueError, match="from 0 to 3"):
        candidate_log_softmax(LOGITS[0], candidates)


def test_refused_targets():
    with pytest.raises(ValueError, match=r"no candidates: \[2\]"):
        candidate_log_likelihood(LOGITS, [1, 2], [1, 3])
