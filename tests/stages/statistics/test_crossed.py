"""Intervals over seeds and sentences, against numbers worked out by hand and against scipy."""

import math

import numpy as np
import pytest
import scipy.stats

from stages.measures import bleu
from stages.statistics.crossed import (
    Trainings,
    components,
    half_width,
    interval,
    jackknife,
    p_value,
)

from .pairs import components_of, mean, points

RANDOM = np.random.default_rng(7)


def block(values, effects):
    return Trainings(np.array(values, float), np.array(effects, float))


def test_jackknife_of_a_mean_is_its_variance():
    scores = RANDOM.normal(3, 2, 50)
    run = jackknife(points(scores), mean)
    assert run.values == pytest.approx([100 * scores.mean()])
    assert (run.effects**2).sum() == pytest.approx(100**2 * scores.var(ddof=1) / 50)


def test_jackknife_of_bleu_leaves_each_sentence_out():
    rows = RANDOM.integers(5, 30, size=(20, 10))
    rows[:, 2:6] = rows[:, 6:] - RANDOM.integers(1, 4, size=(20, 4))
    score = lambda totals: bleu.of_totals(totals).score  # noqa: E731
    run = jackknife([rows], score)
    pseudo = [20 * score(rows.sum(0)) - 19 * score(np.delete(rows, n, 0).sum(0)) for n in range(20)]
    assert run.values == pytest.approx([score(rows.sum(0))])
    assert (run.effects**2).sum() == pytest.approx(np.var(pseudo, ddof=1) / 20)


@pytest.mark.parametrize("number", [0, 1])
def test_jackknife_needs_two_sentences(number):
    with pytest.raises(ValueError, match="two sentences"):
        jackknife(points(np.ones(number)), mean)


def test_jackknife_of_what_one_sentence_alone_defines():
    """Without it there is nothing to divide by."""
    with pytest.raises(ValueError, match="undefined"):
        jackknife([np.array([[1.0, 1.0], [0.0, 0.0]])], mean)


def test_components_by_hand():
    """Two systems, two runs and two sentences each."""
    system = block([4, 2], [[1, -1], [3, -3]])
    opponent = block([-1, -1], [[0, 0], [0, 2]])
    found = components([system, opponent], 2, [None] * 2)
    # means over the runs (2, -2) and (0, 1): (2, -1); values 2 / 2 and 0; effects (2 + 2) / 2 and (0 + 2) / 2
    assert tuple(map(float, found)) == pytest.approx((2, 5, 1, 3, 1, 1))


def test_degrees_of_freedom_of_seeds_are_welchs():
    system, opponent = [30.1, 31.0, 30.4], [29.0, 27.5, 29.1]
    found = components(
        [block(system, np.zeros((3, 4))), block([-x for x in opponent], np.zeros((3, 4)))], 4, [None] * 2
    )
    theirs = scipy.stats.ttest_ind(system, opponent, equal_var=False)
    assert float(found.df_seeds) == pytest.approx(theirs.df)
    assert interval(found) == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-6)


def test_runs_of_one_seed_that_belong_together_are_one_block():
    """Their common luck is no difference."""
    luck = np.array([3.0, -3.0, 0.0])
    system, opponent = luck + np.array([1, 1.1, 0.9]), -luck
    nothing = np.zeros((3, 5))
    apart = components([block(system, nothing), block(opponent, nothing)], 5, [None] * 2)
    together = components([block(system + opponent, nothing)], 5, [None])
    assert half_width(together) < 0.3 < 5 < half_width(apart)
    assert together.difference == pytest.approx(apart.difference)


def test_one_run_is_refused():
    with pytest.raises(ValueError, match="one run"):
        components([block([1], [[1, 2]])], 2, [None])


def test_nothing_differs():
    nothing = components([block([2, 2], np.zeros((2, 3))), block([-2, -2], np.zeros((2, 3)))], 3, [None] * 2)
    assert interval(nothing) == (0, 0)


def test_satterthwaite():
    found = components_of(1, 0.5, 0.4, 0.1)
    df = 0.8**2 / (0.4**2 / 4 + 0.5**2 / 199)
    assert half_width(found) == pytest.approx(scipy.stats.t.ppf(0.975, df) * math.sqrt(0.8))


def test_variance_never_falls_below_the_interaction():
    assert half_width(components_of(1, 0.2, 0.0, 0.15)) >= 1.96 * math.sqrt(0.15)


def test_p_is_students_and_fits_the_interval():
    system, opponent = [30.1, 31.0, 30.4], [29.0, 27.5, 29.1]
    found = components(
        [block(system, np.zeros((3, 4))), block([-x for x in opponent], np.zeros((3, 4)))], 4, [None] * 2
    )
    theirs = scipy.stats.ttest_ind(system, opponent, equal_var=False)
    assert p_value(found) == pytest.approx(theirs.pvalue)
    assert interval(found, 0.9) == pytest.approx(tuple(theirs.confidence_interval(0.9)), rel=1e-6)
    edge = found._replace(difference=np.float64(half_width(found)))
    assert p_value(edge) == pytest.approx(0.05)


def test_p_without_spread():
    nothing = components_of(0, 0, 0, 0)
    assert (p_value(nothing), p_value(nothing._replace(difference=1.0))) == (1, 0)
