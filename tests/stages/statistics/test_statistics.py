"""Tests of differences: against sacrebleu and scipy, against loops that follow the definition, and on pure chance."""

import itertools
import math
import time
import tracemalloc

import numpy as np
import pytest
import scipy.stats
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from stages.measures import bleu, chrf, ter
from stages.measures.ratio import ratio
from stages.statistics import resampling
from stages.statistics.comparison import comparisons
from stages.statistics.multiple import holm
from stages.statistics.resampling import approximate_randomisation, difference, paired_bootstrap
from stages.statistics.seeds import OverSeeds, over_seeds, t_test, verdict, welch
from stages.statistics.sign_test import normal_interval, sign_test, signs

PAIR = ("system", "baseline")
RESAMPLES, SEED = 1000, 12345  # 12345: sacrebleu's own
NAN = math.nan


def mean(totals):
    """A measure whose rows are (points, sentences)."""
    return 100 * ratio(totals[..., 0], totals[..., 1])


def points(scores):
    """One run with these points a sentence."""
    return [np.stack([scores, np.ones(len(scores))], axis=-1)]


def both(system, baseline, value=mean, resamples=RESAMPLES, seed=1):
    """Bootstrap and p of the randomisation for one pair."""
    systems = {"system": system, "baseline": baseline}
    bootstrap = paired_bootstrap(systems, [PAIR], value, resamples, seed)
    return bootstrap[PAIR], approximate_randomisation(systems, [PAIR], value, resamples, seed)[PAIR]


# Translations: a reference, and systems that get some of its words wrong.


def sentences(random, number):
    return [[f"w{word}" for word in random.integers(30, size=random.integers(5, 15))] for _ in range(number)]


def translate(random, references, error):
    """Words are replaced, dropped or doubled at this rate."""

    def word(right):
        kind = random.random() / error
        return [right] if kind > 1 else [["wrong"], [], [right, right]][int(kind * 3)]

    return [" ".join(part for right in words for part in word(right)) for words in references]


@pytest.fixture(scope="module", params=[(0.30, 0.30), (0.30, 0.33), (0.25, 0.35)], ids=["alike", "near", "apart"])
def texts(request):
    random = np.random.default_rng(7)
    words = sentences(random, 80)
    system, baseline = (translate(random, words, error) for error in request.param)
    return system, baseline, [" ".join(line) for line in words]


METRICS = {
    "BLEU": (BLEU(tokenize="none"), lambda totals: bleu.of_totals(totals).score),
    "TER": (TER(), ter.of_totals),
    "chrF2": (CHRF(), chrf.of_totals),
}


def rows_of(metric, hypotheses, references):
    return [np.array(metric._extract_corpus_statistics(hypotheses, [references]), float)]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_p_is_that_of_sacrebleu(texts, name, kind, monkeypatch):
    """The same seed draws the same resamples. Only ties differ: sacrebleu counts them against chance, we for it, which
    shows where edits are whole numbers of one set of reference words."""
    system, baseline, references = texts
    metric, value = METRICS[name]
    theirs = PairedTest(
        [("baseline", baseline), ("system", system)], {name: metric}, [references], test_type=kind, n_samples=RESAMPLES
    )()[1][name][1]
    systems = [rows_of(metric, lines, references) for lines in (system, baseline)]

    def p():
        bootstrap, randomised = both([systems[0]], [systems[1]], value, seed=SEED)
        return bootstrap.p if kind == "bs" else randomised

    if (name, kind) == ("TER", "ar"):
        assert p() >= theirs.p_value
    else:
        assert p() == pytest.approx(theirs.p_value, abs=2 / RESAMPLES)
    monkeypatch.setattr(resampling, "SAME", -1e-9)  # ties against chance
    assert p() == pytest.approx(theirs.p_value, abs=2 / RESAMPLES)


@pytest.mark.parametrize("name", METRICS)
def test_the_difference_is_that_of_the_corpus_scores(texts, name):
    system, baseline, references = texts
    metric, value = METRICS[name]
    runs, scores = zip(
        *(
            (rows_of(metric, lines, references), metric.corpus_score(lines, [references]).score)
            for lines in (system, baseline)
        ),
        strict=True,
    )
    assert difference([runs[0]], [runs[1]], value) == pytest.approx(scores[0] - scores[1])


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
            start = time.perf_counter()
            both(*systems, resamples=320)
            best = min(best, time.perf_counter() - start)
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


# The sign test


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


# Holm's correction


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.6, 0.7, 0.0], [1, 1, 0]),
        ([0.01, NAN, 0.04, NAN], [0.02, NAN, 0.04, NAN]),  # the undefined do not count
        ([NAN], [NAN]),
        ([], []),
        ([0.03], [0.03]),
    ],
)
def test_holm(p, adjusted):
    assert holm(np.array(p)) == pytest.approx(np.array(adjusted), nan_ok=True)


def test_holm_rejects_what_its_definition_rejects():
    random = np.random.default_rng(0)
    for size in (1, 2, 5, 9):
        p = random.random(size) ** 3
        for level in (0.01, 0.05, 0.2, 0.5):
            rejected = set()
            for k, test in enumerate(np.argsort(p)):  # from the smallest on, until one is not small enough
                if p[test] > level / (size - k):
                    break
                rejected.add(test)
            assert set(np.flatnonzero(holm(p) <= level)) == rejected


# Over seeds


def test_over_seeds():
    assert over_seeds([30.0, 31.0, 33.5]) == pytest.approx((31.5, math.sqrt(3.25), 3))
    assert over_seeds([30.0]) == pytest.approx((30, NAN, 1), nan_ok=True)


@pytest.mark.parametrize(
    ("system", "opponent"),
    [
        ([30.1, 31.0, 30.4], [29.0, 29.9, 29.1]),
        ([30.0, 30.0], [29.0, 30.25]),  # no spread on one side
        ([30.1, 31.3], [29.0, 29.9]),
        ([30.1, 31.0, 30.4, 30.2, 30.8], [29.0, 22.0, 35.0]),
        ([30.0, 31.0], [30.0, 31.0]),
    ],
)
@pytest.mark.filterwarnings("ignore:Precision loss")  # scipy's, of a side without spread
def test_welch_is_that_of_scipy(system, opponent):
    theirs = scipy.stats.ttest_ind(system, opponent, equal_var=False).pvalue
    assert welch(over_seeds(system), over_seeds(opponent)) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("system", "opponent", "p", "said"),
    [
        (OverSeeds(30, NAN, 1), OverSeeds(20, NAN, 1), NAN, "one seed: unknown"),
        (OverSeeds(30, NAN, 1), OverSeeds(20, 1, 3), NAN, "one seed: unknown"),
        (OverSeeds(30, 1, 3), OverSeeds(20, NAN, 1), NAN, "one seed: unknown"),
        (OverSeeds(30, 0, 3), OverSeeds(30, 0, 3), 1, "inside seed noise"),
        (OverSeeds(30, 0, 3), OverSeeds(29, 0, 3), 0, "beyond seed noise"),
        (OverSeeds(30, 1, 3), OverSeeds(29.5, 1, 3), 0.573, "inside seed noise"),
        (OverSeeds(33, 1, 3), OverSeeds(29.5, 1, 3), 0.0128, "beyond seed noise"),
    ],
)
def test_seed_noise(system, opponent, p, said):
    assert welch(system, opponent) == pytest.approx(p, abs=5e-4, nan_ok=True)
    assert verdict(welch(system, opponent), 0.05) == said


def test_student_is_that_of_scipy():
    for t, df in itertools.product([0, 1e-3, 0.3, 1, 2.5, 4.303, 12.7, -3, 200], [1, 1.37, 2, 4, 7.9, 30, 200]):
        assert t_test(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-9), (t, df)


# All together


def test_comparisons_hold_one_family_for_each_opponent():
    random = np.random.default_rng(9)
    baseline = random.random(80)
    systems = {"baseline": [points(baseline)]}
    systems |= {f"system{k}": [points(baseline + 0.02 * k + 0.2 * random.random(80))] for k in range(4)}
    found = comparisons(systems, ["baseline", "system1", "absent"], mean, 500, 1, 0.05)
    assert set(found) == {(name, other) for other in ("baseline", "system1") for name in systems if name != other}
    for opponent in ("baseline", "system1"):
        family = [comparison for (_, other), comparison in found.items() if other == opponent]
        expected = holm(np.array([comparison.p_randomisation for comparison in family]))
        assert [comparison.p_holm for comparison in family] == pytest.approx(expected)
    assert {comparison.seeds for comparison in found.values()} == {"one seed: unknown"}
    assert comparisons(systems, ["absent"], mean, 500, 1, 0.05) == {}
