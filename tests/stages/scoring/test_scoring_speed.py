"""How long all measures and all tests of differences take, and how that grows with the sentences."""

import time

import numpy as np
import pytest

from stages.measures.gold_links import Gold
from stages.scoring.attention_counts import alignment_rows, attention_rows
from stages.scoring.catalogue import COMPARED
from stages.scoring.text_counts import Reading, no_unk_rows, probability_rows, text_rows
from stages.scoring.values import values
from stages.statistics.opponents import comparisons
from stages.translating.translations import Translation
from tests.helpers.growth import assert_linear
from tests.stages.scoring.toy_system import TOKENS

WORDS, WRONG = 20, 0.2
"""Of a sentence, and the share of them that the system gets wrong."""


def some_translations(size):
    """Translations, their references, gold links and parts of speech, of sentences with a few wrong words each."""
    rng = np.random.default_rng(0)
    vocabulary = np.array([f"w{k}" for k in range(2000)])
    translations, references, golds = [], [], []
    for _ in range(size):
        reference = rng.choice(vocabulary, size=WORDS)
        words = np.where(rng.random(WORDS) < WRONG, rng.choice(vocabulary, size=WORDS), reference).tolist()
        attention = rng.dirichlet(np.ones(WORDS + 1), size=WORDS + 1)
        translations.append(Translation(words, words, attention, [-1.0] * (WORDS + 1)))
        references.append((" ".join(reference),))
        links = frozenset(enumerate(rng.integers(WORDS, size=WORDS).tolist()))
        golds.append(Gold(links, links))
    return translations, references, golds, [["NN"] * WORDS] * size


def measure(translations, references, golds, tags):
    """All measures of a set, alignment and perplexity included, and its counts."""
    reading = Reading(TOKENS, "en", {})
    rows = text_rows(translations, references, reading) | attention_rows(translations, "en", tags, tags, None)
    rows |= no_unk_rows(dict(enumerate(translations)), references, reading) | probability_rows(translations)
    rows |= alignment_rows(translations, golds, TOKENS)
    assert all(values(rows, kind) for kind in ("tests", "dev", "gold"))
    return rows


def compare(rows):
    """With a system that has the same sentences in another order: every test, ten thousand resamples."""
    other = {group: counts[::-1] for group, counts in rows.items()}
    for measure in COMPARED.values():
        systems = {name: [[of[group] for group in measure.groups]] for name, of in (("one", rows), ("other", other))}
        assert comparisons(systems, ["other"], measure.value, 10_000, 1, 0.05, {}, [])


@pytest.mark.slow
def test_all_measures_of_a_thousand_sentences_take_seconds_and_ten_times_the_sentences_ten_times_as_long():
    data = {times: some_translations(100 * times) for times in (1, 10)}
    assert_linear(lambda times: measure(*data[times]))
    start = time.process_time()
    compare(measure(*data[10]))
    assert time.process_time() - start < 12  # 3.9 on a busy processor without AVX-512
