"""Translations as a system might have them, with two references each, and their rows."""

import random

import numpy as np
import pytest

from stages.corpora.demo import generate
from stages.measures import bleu, bleu_v11b, ter

WORDS = bleu.scorer("none", lowercase=True)
SPACES = ter.tokeniser(normalized=False)


def exactly(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


def damaged(sentence, rng):
    """The sentence as a system might have it: words lost, changed, doubled, and a span moved."""
    words = sentence.split()
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(words) + 1)
        words[place : place + rng.randrange(3)] = rng.choices(
            ["of", "the", ",", "THE", "27.2", "don't"], k=rng.randrange(3)
        )
    start = rng.randrange(len(words) + 1)
    span, rest = words[start : start + 4], words[:start] + words[start + 4 :]
    place = rng.randrange(len(rest) + 1)
    return " ".join(rest[:place] + span + rest[place:])


def corpus(sentences, seed=0):
    """Hypotheses, and two references each; one hypothesis is empty and one equals its reference."""
    rng = random.Random(seed)
    references = [pair.references for pair in generate(train=0, dev=0, test=sentences, gold=0, seed=seed)["test"]]
    hypotheses = [damaged(rng.choice(pair), rng) for pair in references]
    hypotheses[:2] = ["", references[1][1]]
    return hypotheses, references


HYPOTHESES, REFERENCES = corpus(80)
COLUMNS = list(zip(*REFERENCES, strict=True))


def rows_of(statistics, hypotheses, references, *arguments):
    pairs = zip(hypotheses, references, strict=True)
    return np.array([statistics(hypothesis, several, *arguments) for hypothesis, several in pairs])


def bleu_of(hypothesis, *references):
    return bleu.of_totals(np.array(bleu.statistics(hypothesis, references, WORDS)))


def v11b_of(hypothesis, *references):
    return bleu_v11b.of_totals(np.array(bleu_v11b.statistics(hypothesis, references)))


def random_totals(shape, rng):
    """Sums that a corpus can have: never more matches than n-grams, never more n-grams of a higher order."""
    lengths = rng.integers(0, 12, size=(*shape, 2))
    total = np.maximum(lengths[..., :1] - np.arange(4), 0)
    return np.concatenate([lengths, np.minimum(rng.integers(0, 4, size=total.shape), total), total], axis=-1)
