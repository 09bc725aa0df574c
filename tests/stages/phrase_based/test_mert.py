"""Minimum error rate training: exact along a line, and a known optimum."""

import numpy as np
import pytest

from stages.measures import bleu
from stages.phrase_based import mert

FIELDS = len(bleu.Counts._fields)


def counts_of(correct: np.ndarray, length: int = 6) -> np.ndarray:
    """Counts of sentences of `length` words of which so many n-grams of each order are right. correct: (..., 4)."""
    lengths = np.broadcast_to([length, length], (*correct.shape[:-1], 2))
    totals = np.broadcast_to([length - order for order in range(4)], correct.shape)
    return np.concatenate([lengths, np.minimum(correct, totals), totals], axis=-1)


def lists(rng: np.random.Generator, sentences: int = 7, most: int = 5, features: int = 3) -> mert.Candidates:
    """N-best lists of different lengths; rounded features, so that there are parallel lines and common corners."""
    correct = np.sort(rng.integers(0, 7, (sentences, most, 4)), axis=-1)[..., ::-1]
    there = rng.random((sentences, most)) < 0.7
    there[:, 2] = True
    return mert.Candidates(rng.normal(size=(sentences, most, features)).round(1), counts_of(correct), there)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 10))])
def test_no_step_of_a_fine_grid_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates, weights, line = lists(rng), mert.unit(rng.normal(size=3)), rng.normal(size=3)
    step, found = mert.search_line(candidates, weights, line)
    assert mert.score(candidates, weights + step * line) == pytest.approx(found)
    assert abs(step) <= mert.REACH
    grid = [mert.score(candidates, weights + each * line) for each in np.linspace(-mert.REACH, mert.REACH, 2001)]
    assert max(grid) <= found + 1e-9


def test_the_corners_of_one_sentence() -> None:
    """Three lines, 0, γ + 0.2 and 2γ - 0.3: the best is the first below -0.2, the second up to 0.5, then the third."""
    features = np.array([[[0.0, 0.0], [0.2, 1.0], [-0.3, 2.0]]])
    weights, line = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    for right, (low, high) in enumerate(((-1, -0.2), (-0.2, 0.5), (0.5, 1))):
        correct = np.zeros((1, 3, 4), int)
        correct[0, right] = (6, 5, 4, 3)
        candidates = mert.Candidates(features, counts_of(correct), np.ones((1, 3), bool))
        step, found = mert.search_line(candidates, weights, line)
        assert found == pytest.approx(100)
        assert low + mert.MARGIN / 2 < step < high - mert.MARGIN / 2
        assert right != 1 or step == 0  # nothing to gain


def test_no_weight_runs_away() -> None:
    """The right hypotheses are the best only where the first weight is three times all others."""
    features = np.array([[[0.0, 0.0], [1.0, -3.0]]])
    correct = np.array([[[0, 0, 0, 0], [6, 5, 4, 3]]])
    candidates = mert.Candidates(features, counts_of(correct), np.ones((1, 2), bool))
    start, line = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    assert mert.score(candidates, start + 1.1 * line) == pytest.approx(100)
    assert mert.search_line(candidates, start, line) == (0.0, 0.0)


def test_finds_a_known_optimum() -> None:
    """A hundred sentences whose right hypothesis is the best under the weights (3, -2, 1) / 6 and hardly others."""
    rng = np.random.default_rng(5)
    best = np.array([3.0, -2.0, 1.0])
    features = rng.normal(size=(100, 20, 3))
    right = (features @ best).argmax(axis=1)
    correct = np.zeros((100, 20, 4), int)
    correct[np.arange(100), right] = (6, 5, 4, 3)
    candidates = mert.Candidates(features, counts_of(correct), np.ones((100, 20), bool))
    start = np.array([1.0, 1.0, 1.0])
    assert mert.score(candidates, start) < 40
    weights, found = mert.optimise(candidates, start, restarts=4, directions=4, rng=np.random.default_rng(1))
    assert found > 97
    assert weights == pytest.approx(best / 6, abs=0.04)
    assert np.abs(weights).sum() == pytest.approx(1)


def test_the_same_seed_finds_the_same_weights() -> None:
    candidates, start = lists(np.random.default_rng(3), sentences=30), np.array([0.4, 0.3, 0.3])
    one, other = (mert.optimise(candidates, start, 3, 3, np.random.default_rng(2))[0] for _ in range(2))
    assert one.tolist() == other.tolist()


def test_of_equals_the_first_counts_and_what_is_not_there_never() -> None:
    correct = np.array([[[6, 5, 4, 3], [0, 0, 0, 0], [6, 5, 4, 3]]])
    features = np.array([[[1.0], [1.0], [9.0]]])
    there = np.array([[True, True, False]])
    assert mert.score(mert.Candidates(features, counts_of(correct), there), np.ones(1)) == pytest.approx(100)
    turned = mert.Candidates(features[:, [1, 0, 2]], counts_of(correct[:, [1, 0, 2]]), there)
    assert mert.score(turned, np.ones(1)) == 0
