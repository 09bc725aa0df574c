"""What a difference says of a claim, by hand; and how often, in made-up studies whose true difference is known."""

import math
from functools import partial

import numpy as np
import pytest
import scipy.stats

from stages.statistics.crossed import Components, Interval, half_width, interval
from stages.statistics.deciding import (
    EQUIVALENCE,
    MOST_SENTENCES,
    Found,
    Needed,
    below,
    more_seeds,
    more_sentences,
    needed,
    no_difference,
    power,
    power_of_no_difference,
    printed_gain,
    verdict,
)

from .pairs import components_of


def found(low, high, narrower=0.1):
    return Found(Interval(low, high), Interval(low + narrower, high - narrower))


@pytest.mark.parametrize(
    ("low", "high", "printed", "said"),
    [
        (0.2, 1.0, None, "agrees"),
        (0.2, 1.0, 0.9, "agrees"),
        (0.2, 1.0, 0.1, "agrees"),  # more than the paper has
        (0.2, 1.0, 1.1, "agrees, smaller than printed"),
        (-0.4, 1.0, 1.1, "undecided, printed gain excluded"),
        (-0.4, 1.0, 0.9, "undecided"),
        (-0.4, 1.0, None, "undecided"),
        (-0.55, 0.5, 1.1, "no difference above m"),  # the interval of 90 % counts
        (-0.65, 0.5, 1.1, "undecided, printed gain excluded"),
        (0.1, 0.3, 0.2, "agrees"),  # though it is below m
        (-1.0, -0.2, 1.1, "disagrees"),
        (-0.3, -0.1, None, "disagrees"),
        (0.0, 1.0, None, "undecided"),
    ],
)
def test_verdict_and_its_mirror(low, high, printed, said):
    assert verdict(found(low, high), 1, 0.5, printed) == said
    assert verdict(found(-high, -low), -1, 0.5, printed and -printed) == said


@pytest.mark.parametrize(
    ("low", "high", "equal", "not_lower"),
    [
        (-0.55, 0.55, "agrees", "agrees"),  # the interval of 90 % counts
        (-0.65, 0.5, "undecided", "undecided"),
        (-0.5, 0.65, "undecided", "agrees"),
        (0.1, 0.3, "agrees", "agrees"),  # a difference that does not matter
        (0.55, 0.9, "disagrees", "agrees"),
        (0.45, 0.9, "undecided", "agrees"),
        (-0.9, -0.55, "disagrees", "disagrees"),
        (-0.9, -0.45, "undecided", "undecided"),
        (-3.0, 3.0, "undecided", "undecided"),
    ],
)
def test_a_difference_that_is_said_not_to_matter(low, high, equal, not_lower):
    assert no_difference(found(low, high), 0.5, False) == equal
    assert no_difference(found(-high, -low), 0.5, False) == equal
    assert no_difference(found(low, high), 0.5, True) == not_lower


def test_a_gain_as_large_as_printed():
    assert printed_gain(Interval(-1.0, 0.5), 0.5) == printed_gain(Interval(-0.5, 1.0), -0.5) == "possible"
    assert printed_gain(Interval(-1.0, 0.5), 0.6) == printed_gain(Interval(-0.5, 1.0), -0.6) == "excluded"
    assert printed_gain(Interval(2.0, 3.0), 1.0) == "possible"


def test_below_a_margin_on_both_sides():
    assert below(Interval(-0.4, 0.49), 0.5)
    assert not below(Interval(-0.5, 0.4), 0.5) and not below(Interval(-0.4, 0.5), 0.5)


DRAWS, SEEDS, SENTENCES = 4000, 3, 100
ERROR, DF = 0.25, 8
"""Of a made-up difference: its standard error, which a study knows with so many degrees of freedom."""


def drawn(true: float, error: float = ERROR) -> list[Components]:
    """Differences of studies that find their error from their own chance, all of it of the seeds."""
    random = np.random.default_rng(56)
    differences = random.normal(true, error, DRAWS)
    variances = error**2 * random.chisquare(DF, DRAWS) / DF
    return [components_of(d, 0.0, v, 0.0, df_seeds=DF) for d, v in zip(differences, variances, strict=True)]


def share(studies, said, margin=0.5, printed=None):
    verdicts = [verdict(Found(interval(one), interval(one, EQUIVALENCE)), 1, margin, printed) for one in studies]
    return np.mean([one in said for one in verdicts])


AGREES = ("agrees", "agrees, smaller than printed")


def test_of_no_difference_one_study_in_forty_agrees_and_one_disagrees():
    assert share(drawn(0.0), AGREES) == pytest.approx(0.025, abs=0.008)
    assert share(drawn(0.0), ["disagrees"]) == pytest.approx(0.025, abs=0.008)


@pytest.mark.parametrize("error", [0.02, 0.1, 0.25])
def test_of_a_difference_of_m_one_study_in_twenty_at_most_finds_none_above_m(error):
    """The size of two one-sided tests: 5 % where the error is small enough for them, less where it is not."""
    studies = drawn(0.5, error)
    within = np.mean([below(interval(one, EQUIVALENCE), 0.5) for one in studies])
    assert within <= 0.05 + 0.01
    if error < 0.2:
        assert within >= 0.04
    assert share(studies, ["no difference above m"]) <= 0.06


@pytest.mark.slow
def test_how_often_a_claim_of_no_difference_is_wrongly_agreed_with_and_rightly():
    """Its size at the margin is 5 %, of one test or two; what is far outside disagrees as a difference from 0 does."""

    def share_of(true, error, higher_too, said):
        each = [Found(interval(one), interval(one, EQUIVALENCE)) for one in drawn(true, error)]
        return np.mean([no_difference(one, 0.5, higher_too) == said for one in each])

    for higher_too, true in ((False, 0.5), (False, -0.5), (True, -0.5)):
        assert share_of(true, 0.1, higher_too, "agrees") == pytest.approx(0.05, abs=0.012)
    assert share_of(0.0, 0.1, False, "agrees") >= 0.93 and share_of(0.4, 0.25, True, "agrees") >= 0.9
    assert share_of(0.5, 0.1, False, "disagrees") == pytest.approx(0.025, abs=0.008)
    assert share_of(-1.5, 0.25, True, "disagrees") >= 0.9


def test_of_no_difference_a_precise_study_finds_none_above_m():
    """The power of two one-sided tests: 1 - 2 P(Z > m / error - 1.86), t of 8 degrees of freedom in the place of Z."""
    error = 0.1
    expected = 1 - 2 * scipy.stats.t.sf(0.5 / error - scipy.stats.t.ppf(0.95, DF), DF)
    assert np.mean([below(interval(one, EQUIVALENCE), 0.5) for one in drawn(0.0, error)]) == pytest.approx(
        expected, abs=0.02
    )
    assert share(drawn(0.0, error), ["no difference above m"]) >= 0.93


def test_a_gain_that_is_as_large_as_printed_is_excluded_in_one_study_of_forty():
    wrong = ("agrees, smaller than printed", "undecided, printed gain excluded")
    assert share(drawn(0.6), wrong, margin=0.0, printed=0.6) == pytest.approx(0.025, abs=0.008)
    assert share(drawn(0.1), wrong, margin=0.0, printed=1.5) >= 0.95


@pytest.mark.parametrize("true", [0.3, 0.6, 0.9])
def test_power_is_how_often_such_a_difference_is_decided(true):
    found = power(components_of(true, 0, ERROR**2, 0, df_seeds=DF))
    assert share(drawn(true), AGREES) == pytest.approx(found, abs=0.02)


@pytest.mark.parametrize("higher_too", [False, True])
@pytest.mark.parametrize(("true", "error"), [(0.0, 0.15), (0.2, 0.15), (-0.3, 0.1), (0.9, 0.15), (-0.9, 0.15)])
def test_power_is_how_often_a_claim_of_no_difference_is_decided(true, error, higher_too):
    each = [Found(interval(one), interval(one, EQUIVALENCE)) for one in drawn(true, error)]
    decided = np.mean([no_difference(one, 0.5, higher_too) != "undecided" for one in each])
    found = power_of_no_difference(components_of(true, 0, error**2, 0, df_seeds=DF), 0.5, higher_too)
    assert found == pytest.approx(decided, abs=0.02)


def test_power_of_no_difference_without_spread():
    exact = components_of(0.2, 0, 0, 0)
    assert power_of_no_difference(exact, 0.5, False) == power_of_no_difference(exact, 0.1, False) == 1
    assert power_of_no_difference(components_of(0.5, 0, 0, 0), 0.5, False) == 0


@pytest.mark.parametrize(("true", "least"), [(0.6, 6), (0.9, 4)])
def test_with_the_seeds_needed_four_studies_of_five_decide(true, least):
    """And with one seed fewer it is not as many."""
    now = components_of(true, 0, ERROR**2 * 2, 0, df_seeds=4)
    seeds, _ = needed(now, 3, SENTENCES, 2)
    assert seeds >= least
    rates = []
    for number in (seeds, seeds - 1):
        then = more_seeds(now, 3, number, 2)
        df = float(then.df_seeds)
        random = np.random.default_rng(7)
        error = math.sqrt(float(then.seeds))
        differences = random.normal(true, error, 20_000)
        errors = error * np.sqrt(random.chisquare(df, 20_000) / df)
        rates.append(np.mean(differences > scipy.stats.t.ppf(0.975, df) * errors))
    assert rates[1] - 0.01 < 0.80 <= rates[0] + 0.01


def test_today_a_difference_at_the_edge_of_its_interval_is_a_coin():
    edge = components_of(0, 0, 1.0, 0, df_seeds=30)
    edge = edge._replace(difference=np.float64(half_width(edge)))
    assert power(edge) == pytest.approx(0.5, abs=0.02)


def test_power_without_spread():
    assert (power(components_of(0, 0, 0, 0)), power(components_of(1, 0, 0, 0))) == (0, 1)


def test_what_seeds_cannot_decide_sentences_may():
    seeds, sentences = needed(components_of(1, 1.0, 0.0, 0.0), 3, 200, 2)
    assert seeds is None
    assert sentences == pytest.approx((1.96 + 0.84) ** 2 * 200, rel=0.02)
    assert power(more_sentences(components_of(1, 1.0, 0.0, 0.0), sentences / 200)) >= 0.8


def test_where_scipy_s_distribution_is_not_a_number_the_advice_is_as_beside_it():
    """With this spread a claim of no difference is decided by some 5,000 sentences; at 100,000 it is NaN."""
    components = Components(
        0.27329633505242035, 0.038743315245649654, 0.012343693431322324, 0.024509303724825446, 999, 40
    )
    chance = partial(power_of_no_difference, margin=0.5, higher_too=False)
    found = needed(components, 3, 1000, 2, chance)
    assert found.sentences == 4726
    assert chance(more_sentences(components, 100)) == 1.0


def test_more_than_twenty_seeds_are_no_advice():
    assert needed(components_of(0.2, 0.0, 1.0, 0.0), 3, 200, 2).seeds is None
    assert needed(components_of(1.0, 0.0, 1.0, 0.0), 20, 200, 2).seeds is None
    assert needed(components_of(0, 1, 1, 0.5), 3, 200, 2) == Needed(None, None)
    assert needed(components_of(0.01, 1.0, 0.0, 0.0), 3, 200, 2).sentences is None
    assert MOST_SENTENCES < (2.8 / 0.01) ** 2 * 200


def test_the_interaction_shrinks_with_both():
    now = components_of(1, 0.5, 0.4, 0.2)
    assert tuple(map(float, more_seeds(now, 3, 6, 2)))[1:] == pytest.approx((0.4, 0.2, 0.1, 199, 10))
    assert tuple(map(float, more_sentences(now, 5.0)))[1:] == pytest.approx((0.1, 0.24, 0.04, 999, 4))
