"""Made-up studies with a known difference: how often the interval holds it."""

import numpy as np
import pytest

from stages.statistics.crossed import Components, Trainings, components, half_width, jackknife
from stages.statistics.seed_spread import moderated, own_spread, pool

from .pairs import mean

DRAWS, SENTENCES, EFFECT = 1000, 200, 1.0


def drawn(random, seeds, of_sentences, of_seeds, of_both, shared=0.0):
    """Blocks of DRAWS studies of a system and an opponent, the system EFFECT better on every sentence.

    of_sentences, of_seeds, of_both: standard deviations of what a sentence adds to the difference, a training to its
    values, and a training to one sentence. shared: of the seeds' luck, what both systems share, as of fine-tuned ones
    with one base: they are one block.
    """
    sentences = random.normal(0, of_sentences, (DRAWS, 1, SENTENCES))
    luck = random.normal(0, shared, (DRAWS, seeds, 1)) if shared else 0.0

    def rows():
        own = random.normal(0, of_seeds, (DRAWS, seeds, 1))
        return luck + own + random.normal(0, of_both, (DRAWS, seeds, SENTENCES))

    system, opponent = rows() + sentences + EFFECT, -rows()
    return [_trainings(system + opponent)] if shared else [_trainings(system), _trainings(opponent)]


def _trainings(scores):
    """Of a mean: what the jackknife finds."""
    values = scores.mean(-1)
    scale = np.sqrt(SENTENCES * (SENTENCES - 1))
    return Trainings(values, (scores - values[..., None]) / scale)


def coverage(blocks):
    found = components(blocks, SENTENCES, [None] * len(blocks))
    each = [Components(*(part[k] for part in found)) for k in range(DRAWS)]
    return np.mean([abs(one.difference - EFFECT) <= half_width(one) for one in each])


@pytest.mark.parametrize(
    ("seeds", "of_sentences", "of_seeds", "of_both", "shared"),
    [
        (3, 5.0, 0.3, 5.0, 0.0),  # spread of every kind
        (3, 5.0, 0.0, 5.0, 0.0),  # trainings differ in single sentences only
        (3, 5.0, 1.0, 5.0, 0.0),  # in more than these
        (3, 1.0, 1.0, 3.0, 0.0),  # sentences hardly matter
        (3, 5.0, 0.1, 1.0, 0.0),  # trainings hardly do
        (3, 5.0, 0.3, 5.0, 0.6),  # both are fine-tuned from one base
        (5, 5.0, 0.3, 5.0, 0.0),
        (2, 5.0, 0.1, 5.0, 0.0),
    ],
)
def test_95_percent_intervals_hold_the_known_difference_in_95_percent(seeds, of_sentences, of_seeds, of_both, shared):
    random = np.random.default_rng(2026)
    assert 0.93 <= coverage(drawn(random, seeds, of_sentences, of_seeds, of_both, shared)) <= 0.97


@pytest.mark.parametrize(("seeds", "least", "most"), [(2, 0.85, 0.91), (3, 0.905, 0.945), (8, 0.93, 0.97)])
def test_fine_tuned_systems_that_differ_by_seed_have_intervals_that_are_too_narrow(seeds, least, most):
    """What docs/claims.md says: the seeds' part of the variance is ten times the sentences', and little is known of
    it."""
    random, draws = np.random.default_rng(2026), 4000
    luck = random.normal(0, 0.75, (draws, seeds, 1)) + random.normal(0, 3.0, (draws, seeds, SENTENCES))
    sentences = random.normal(0, 3.0, (draws, 1, SENTENCES))
    found = components([_trainings(luck + sentences + EFFECT)], SENTENCES, [None])
    each = [Components(*(part[k] for part in found)) for k in range(draws)]
    assert least <= np.mean([abs(one.difference - EFFECT) <= half_width(one) for one in each]) <= most


def test_neither_source_of_chance_alone_is_enough():
    """What the interval is for: sentences alone, or seeds alone, promise too much."""
    blocks = drawn(np.random.default_rng(2026), 3, 5.0, 1.0, 5.0)
    values = [Trainings(block.values, np.zeros_like(block.effects)) for block in blocks]
    same = [np.broadcast_to(block.values.mean(-1, keepdims=True), block.values.shape) for block in blocks]
    effects = [Trainings(value, block.effects) for value, block in zip(same, blocks, strict=True)]
    assert coverage(effects) < 0.75
    wide = drawn(np.random.default_rng(2026), 3, 12.0, 0.3, 5.0)
    assert coverage([Trainings(block.values, np.zeros_like(block.effects)) for block in wide]) < 0.8
    assert coverage(values) > coverage(effects)


STUDIES, RESAMPLES = 300, 400


def multi_bootstrap(random, of_sentences, of_seeds, of_both, seeds=3):
    """Share of the studies whose percentile interval holds EFFECT: seeds of each system and sentences are drawn with
    replacement (Sellam et al. 2022, "The MultiBERTs", with unpaired seeds)."""
    held = 0
    for _ in range(STUDIES):
        sentences = random.normal(0, of_sentences, SENTENCES)
        scores = random.normal(0, of_seeds, (2, seeds, 1)) + random.normal(0, of_both, (2, seeds, SENTENCES))
        scores[0] += sentences + EFFECT
        drawn_sentences = random.multinomial(SENTENCES, [1 / SENTENCES] * SENTENCES, RESAMPLES) / SENTENCES
        drawn_seeds = random.multinomial(seeds, [1 / seeds] * seeds, (2, RESAMPLES)) / seeds
        values = np.einsum("krs,ksn,rn->kr", drawn_seeds, scores, drawn_sentences, optimize=True)
        low, high = np.percentile(values[0] - values[1], [2.5, 97.5])
        held += low <= EFFECT <= high
    return held / STUDIES


@pytest.mark.slow
@pytest.mark.parametrize(("of_sentences", "of_seeds", "of_both"), [(1.0, 1.0, 3.0), (5.0, 1.0, 5.0)])
def test_the_multi_bootstrap_of_three_seeds_holds_it_too_seldom(of_sentences, of_seeds, of_both):
    """Of three trainings a draw with replacement has two thirds of the variance; ours holds it in 93 % and more."""
    random = np.random.default_rng(2026)
    assert multi_bootstrap(random, of_sentences, of_seeds, of_both) < 0.90
    assert coverage(drawn(random, 3, of_sentences, of_seeds, of_both)) >= 0.93


@pytest.mark.slow
def test_the_multi_bootstrap_of_many_seeds_is_sound():
    """So that it is the few seeds that it fails by."""
    assert multi_bootstrap(np.random.default_rng(2026), 5.0, 0.3, 5.0, seeds=25) == pytest.approx(0.95, abs=0.035)


def studies(random, sds):
    """DRAWS differences of the first two systems of a study with three seeds, the first EFFECT better: half widths with
    the spread of all systems, with that of the two alone, and the share of the former that hold EFFECT. Sentences are
    no chance here."""
    pooled, alone, held = [], [], 0
    nothing = np.zeros((3, SENTENCES))
    for _ in range(DRAWS):
        values = random.normal(0, 1, (len(sds), 3)) * np.array(sds)[:, None]
        own = [own_spread(runs) for runs in values]
        study = pool(own)
        blocks = [Trainings(values[0] + EFFECT, nothing), Trainings(-values[1], nothing)]
        spreads = [moderated(one, member, study) for one, member in zip(own[:2], study.members[:2], strict=True)]
        found = components(blocks, SENTENCES, spreads)
        pooled.append(half_width(found))
        alone.append(half_width(components(blocks, SENTENCES, [None] * len(blocks))))
        held += abs(float(found.difference) - EFFECT) <= pooled[-1]
    return np.median(pooled), np.median(alone), held / DRAWS


ALIKE, ONE_NOISY, NOISY = [1.0] * 20, [*[1.0] * 19, 5.0], [3.0, *[1.0] * 19]
UNLIKE = list(np.geomspace(0.5, 2, 20))


@pytest.mark.parametrize(
    ("sds", "least"),
    [
        (ALIKE, 0.93),
        (ALIKE[:2], 0.93),
        (ALIKE[:4], 0.93),
        (ONE_NOISY, 0.93),  # another one: it is left out of the pool
        ([UNLIKE[4], UNLIKE[15], *UNLIKE], 0.93),  # from half to twice as far apart
        (NOISY, 0.87),  # the system in question: often kept as it is, and sometimes taken for the others' like
    ],
)
def test_the_spread_of_all_systems_holds_it_too(sds, least):
    _, _, held = studies(np.random.default_rng(2026), sds)
    assert least <= held <= 0.97


@pytest.mark.slow
def test_the_spread_of_all_systems_makes_it_two_thirds_as_wide():
    """Of twenty systems alike; of the two in question alone it is hardly narrower."""
    pooled, alone, _ = studies(np.random.default_rng(2026), ALIKE)
    assert pooled / alone < 0.72
    pooled, alone, _ = studies(np.random.default_rng(2026), ALIKE[:2])
    assert 0.8 < pooled / alone <= 1


@pytest.mark.slow
def test_the_jackknife_carries_it_to_a_corpus_measure():
    """Errors in a word, as an error rate counts them: long sentences weigh more, and 1,000 studies of two systems with
    three seeds make the known difference of their rates."""
    random = np.random.default_rng(2026)
    held = 0
    for _ in range(DRAWS):
        words = random.integers(3, 40, 80)
        hard, harder = random.uniform(0.3, 0.5, 80), random.normal(0.05, 0.08, 80)
        blocks = []
        for sign, more in ((1, harder), (-1, 0.0)):
            rates = np.clip(hard + more + random.normal(0, 0.01, (3, 1)), 0, 1)
            runs = [jackknife(points_of(errors, words), mean) for errors in random.binomial(words, rates)]
            values, effects = (np.concatenate(parts) for parts in zip(*runs, strict=True))
            blocks.append(Trainings(sign * values, sign * effects))
        found = components(blocks, 80, [None] * 2)
        held += abs(float(found.difference) - 5.0) <= half_width(found)
    assert 0.93 <= held / DRAWS <= 0.97


def points_of(errors, words):
    return [np.stack([errors, words], axis=-1)]
