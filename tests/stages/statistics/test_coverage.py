"""Made-up studies with a known difference: how often the interval holds it."""

import numpy as np
import pytest

from stages.statistics.crossed import Components, Trainings, components, half_width, jackknife

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
    found = components(blocks, SENTENCES)
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
        found = components(blocks, 80)
        held += abs(float(found.difference) - 5.0) <= half_width(found)
    assert 0.93 <= held / DRAWS <= 0.97


def points_of(errors, words):
    return [np.stack([errors, words], axis=-1)]
