"""Bootstrap and randomisation against loops that follow the definition, and on pure chance."""

import itertools
import math
import time
import tracemalloc

import numpy as np
import pytest
import scipy.stats

from stages.statistics import resampling
from stages.statistics.resampling import approximate_randomisation, difference, paired_bootstrap
from tests.stages.statistics.pairs import PAIR, RESAMPLES, both, mean, points


def test_resampling_follows_the_definition():
    """Two seeds and two groups, by loops over sentences."""
    random = np.random.default_rng(3)
    a, b = ([[random.random((12, 2)) + 1, random.random((12, 1))] for _ in range(2)] for _ in range(2))

    def value(first, second):
        return first[..., 0] / first[..., 1] - second[..., 0]

    def score(runs, drawn):
        return np.mean([value(*(sum(group[k] for k in drawn) for group in run)) for run in runs])

    draws = np.random.default_rng(5).integers(12, size=(200, 12))
    deltas = np.array([score(a, drawn) - score(b, drawn) for drawn in draws])
    observed = score(a, range(12)) - score(b, range(12))
    centred = abs(deltas) - abs(deltas).mean()
    bootstrap, randomised = both(a, b, value, resamples=200, seed=5)
    assert bootstrap == pytest.approx(
        (observed, *np.percentile(deltas, [2.5, 97.5]), (1 + sum(centred >= abs(observed))) / 201)
    )

    swaps = np.random.default_rng(5).integers(2, size=(200, 12), dtype=bool)
    reached = 0
    for swap in swaps:
        pairs = [
            [[np.where(swap[:, None], y, x), np.where(swap[:, None], x, y)] for x, y in zip(run, other, strict=True)]
            for run, other in zip(a, b, strict=True)
        ]
        left, right = ([[group[side] for group in run] for run in pairs] for side in (0, 1))
        reached += abs(score(left, range(12)) - score(right, range(12))) >= abs(observed) - 1e-9
    assert randomised == (1 + reached) / 201


def test_memory_is_bounded_and_the_batch_changes_no_number(monkeypatch):
    random = np.random.default_rng(0)
    systems = [points(random.random(50)) for _ in range(2)]
    whole = both([systems[0]], [systems[1]])
    with monkeypatch.context() as small:
        small.setattr(resampling, "LARGEST_BATCH", 32)
        bootstrap, randomised = both([systems[0]], [systems[1]])
    assert bootstrap == pytest.approx(whole[0])
    assert randomised == whole[1]

    large = [points(random.random(20_000)) for _ in range(2)]
    tracemalloc.start()
    both([large[0]], [large[1]])  # resamples x sentences would be 160 MB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6


def test_time_grows_with_the_sentences_alone():
    def seconds(number):
        random = np.random.default_rng(0)
        systems = [[points(random.random(number))] for _ in range(2)]
        best = math.inf
        for _ in range(3):
            start = time.process_time()
            both(*systems, resamples=320)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(16_000) < 4 * 2.5 * seconds(4_000)


@pytest.fixture(scope="module")
def chance():
    """p of both tests for systems that differ by chance alone."""
    random = np.random.default_rng(11)
    pairs = [both([points(random.random(40))], [points(random.random(40))], resamples=199, seed=k) for k in range(400)]
    return np.array([(bootstrap.p, randomised) for bootstrap, randomised in pairs])


def test_randomisation_is_right_under_chance(chance):
    """Its p is uniform: at level .05 it errs in 5 % of the pairs."""
    assert scipy.stats.kstest(chance[:, 1], "uniform").pvalue > 0.01
    assert 0.025 < (chance[:, 1] <= 0.05).mean() < 0.08


def test_the_bootstrap_of_sacrebleu_errs_twice_as_often(chance):
    """Why claims rest on the randomisation."""
    assert 0.07 < (chance[:, 0] <= 0.05).mean() < 0.14


def test_a_difference_is_found():
    random = np.random.default_rng(1)
    baseline = random.random(200)
    system = baseline + 0.05 * random.random(200)
    bootstrap, randomised = both([points(system)], [points(baseline)])
    assert bootstrap.difference == pytest.approx(100 * (system - baseline).mean())
    assert 0 < bootstrap.low < bootstrap.difference < bootstrap.high
    assert bootstrap.p == randomised == 1 / (RESAMPLES + 1)
    back, back_randomised = both([points(baseline)], [points(system)])
    assert (back.low, back.high) == pytest.approx((-bootstrap.high, -bootstrap.low))
    assert (back.p, back_randomised) == (bootstrap.p, randomised)


@pytest.mark.parametrize("scale", [1, 0.1])  # 0.1: sums of floats, whose last digit depends on their order
def test_a_system_is_not_better_than_itself(scale):
    system = [points(scale * np.random.default_rng(0).integers(5, size=30))]
    bootstrap, randomised = both(system, system)
    assert bootstrap == (0, 0, 0, 1)
    assert randomised == 1


@pytest.mark.parametrize("scale", [1, 0.1])
def test_equal_differences_count_for_chance(scale):
    """One sentence differs, so swapping changes the sign at most."""
    scores = scale * np.random.default_rng(0).integers(5, size=30)
    assert both([points(scores + scale * (np.arange(30) == 7))], [points(scores)])[1] == 1


def test_numbers_depend_on_the_seed_and_on_the_two_systems_alone():
    random = np.random.default_rng(2)
    systems = {name: [points(random.random(60))] for name in "abcd"}
    pairs = list(itertools.permutations(systems, 2))

    def tested(systems, pairs, seed=1):
        bootstrap = paired_bootstrap(systems, pairs, mean, RESAMPLES, seed)
        randomised = approximate_randomisation(systems, pairs, mean, RESAMPLES, seed)
        return {pair: (*bootstrap[pair], randomised[pair]) for pair in pairs}

    all_pairs = tested(systems, pairs)
    assert tested(systems, pairs) == all_pairs
    turned = tested(dict(reversed(systems.items())), pairs[::-1])
    for pair in pairs:
        assert turned[pair] == pytest.approx(all_pairs[pair])
    assert tested(systems, [("d", "b")])["d", "b"] == pytest.approx(all_pairs["d", "b"])
    other = tested(systems, pairs, seed=2)
    assert other != all_pairs
    for pair in pairs:
        assert other[pair] == pytest.approx(all_pairs[pair], abs=0.1 * abs(all_pairs[pair][2] - all_pairs[pair][1]))
    assert tested(systems, []) == {}


def test_the_order_of_the_sentences_does_not_matter():
    random = np.random.default_rng(4)
    system, baseline, order = random.random(50), random.random(50), random.permutation(50)
    before = both([points(system)], [points(baseline)], resamples=10_000)
    after = both([points(system[order])], [points(baseline[order])], resamples=10_000)
    assert after[0].difference == pytest.approx(before[0].difference)
    assert (after[0].p, after[1]) == pytest.approx((before[0].p, before[1]), abs=0.03)


def test_seeds_are_averaged():
    random = np.random.default_rng(6)
    runs = [points(random.random(40)) for _ in range(4)]
    assert difference(runs[:2], runs[2:], mean) == pytest.approx(
        np.mean([difference([runs[k]], [runs[k + 2]], mean) for k in range(2)])
    )
    once, thrice = both(runs[:1], runs[2:3]), both(runs[:1] * 3, runs[2:3] * 3)
    assert (*thrice[0], thrice[1]) == pytest.approx((*once[0], once[1]))  # a run thrice says nothing new


def test_undefined_values_are_undefined():
    nothing = [[np.zeros((9, 2))]]
    bootstrap, randomised = both(nothing, nothing)
    assert all(math.isnan(number) for number in (*bootstrap, randomised))
    seldom = [[np.eye(9, 2)]]  # the second column, and with it the value, is 0 in a third of the resamples
    bootstrap, _ = both(seldom, seldom)
    assert bootstrap.difference == 0
    assert math.isnan(bootstrap.p)


@pytest.mark.parametrize(
    "other",
    [[[np.ones((4, 2))]], [[np.ones((5, 3))]], [[np.ones((5, 2))]] * 2, [[np.ones((5, 2))] * 2]],
    ids=["sentences", "columns", "runs", "groups"],
)
def test_systems_must_fit(other):
    systems = {"system": other, "baseline": [[np.ones((5, 2))]]}
    for test in (paired_bootstrap, approximate_randomisation):
        with pytest.raises(ValueError, match=r"rows of .* differ in"):
            test(systems, [PAIR], mean, 10, 1)
