"""mteval-v11b's BLEU against its definition."""

import math
import re
import string
from collections import Counter

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from stages.measures import bleu, bleu_v11b
from tests.stages.measures.translations import (
    HYPOTHESES,
    REFERENCES,
    bleu_of,
    exactly,
    random_totals,
    rows_of,
    v11b_of,
)


def normalised(text):
    """mteval-v11b's NormalizeText, on bytes as the script reads them."""
    line = text.encode()
    for entity, character in (
        (b"<skipped>", b""),
        (b"&quot;", b'"'),
        (b"&amp;", b"&"),
        (b"&lt;", b"<"),
        (b"&gt;", b">"),
    ):
        line = line.replace(entity, character)
    line = b" " + line.lower() + b" "  # bytes fold A to Z only
    parted = re.escape("".join(sorted(set(string.punctuation) - set("',-.")))).encode()
    line = re.sub(rb"([ %b])" % parted, rb" \1 ", line)
    line = re.sub(rb"([^0-9])([.,])", rb"\1 \2 ", line)
    line = re.sub(rb"([.,])([^0-9])", rb" \1 \2", line)
    line = re.sub(rb"([0-9])(-)", rb"\1 \2 ", line)
    return [word.decode() for word in line.split()]


def naive_v11b(hypotheses, references):
    """Score from its definition: n-grams counted by searching."""
    matches, found, system_length, reference_length = Counter(), Counter(), 0, 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        words, many = normalised(hypothesis), [normalised(reference) for reference in several]
        system_length += len(words)
        reference_length += min(map(len, many))
        for n in range(1, 5):
            ngrams = [[side[i : i + n] for i in range(len(side) - n + 1)] for side in (words, *many)]
            found[n] += len(ngrams[0])
            for k, ngram in enumerate(ngrams[0]):
                matches[n] += ngrams[0][:k].count(ngram) < max(side.count(ngram) for side in ngrams[1:])
    if not all(matches[n] for n in range(1, 5)):
        return 0.0
    mean = sum(math.log(matches[n] / found[n]) for n in range(1, 5)) / 4
    return 100 * math.exp(mean + min(0, 1 - reference_length / system_length))


@pytest.mark.parametrize("references", [1, 2])
def test_v11b_equals_its_definition(references):
    several = [pair[:references] for pair in REFERENCES]
    score = bleu_v11b.of_totals(rows_of(bleu_v11b.statistics, HYPOTHESES, several).sum(axis=0))
    assert score.score == exactly(naive_v11b(HYPOTHESES, several))
    assert 20 < score.score < 80


TEXTS = [
    "It's 3,000.5 U.S. dollars, i.e. (about) 10%-15% [of] $5.",
    "AT&amp;T &lt;b&gt; &quot;x&quot; <skipped> a/b 2-3 x-1 -1 1- .5 5. ,x x, A.B",
    "Ärger naïve à “quote” … 中文。 l'an don't",
    "{a}~b^c_d`e|f\\g @h #i *j +k =l ;m :n ?o !p <q>",
    "  two   spaces\tand a tab  ",
    "",
]


@pytest.mark.parametrize("text", TEXTS)
def test_v11b_tokenises_as_13a(text):
    assert Tokenizer13a()(text).encode().lower().decode().split() == normalised(text)
    counts = bleu_v11b.statistics(text, [" ".join(normalised(text))])
    assert counts.system_length == counts.reference_length == counts.correct_1 == len(normalised(text))


def test_v11b_takes_the_shortest_reference_and_sacrebleu_the_closest():
    hypothesis, references = "a b c d e f", ["a b c d", "a b c d e f g"]
    assert bleu_v11b.statistics(hypothesis, references).reference_length == 4
    assert bleu.statistics(hypothesis, references, bleu.scorer("none", lowercase=True)).reference_length == 7
    assert v11b_of(hypothesis, *references).brevity_penalty == 1
    assert bleu_of(hypothesis, *references).brevity_penalty == exactly(math.exp(-1 / 6))


def test_v11b_does_not_smooth():
    assert bleu_of("a b c x", "a b c d").score > 0
    score = v11b_of("a b c x", "a b c d")
    assert score.precisions == exactly([75, 200 / 3, 50, 0])
    assert score.score == 0


def test_v11b_folds_ascii_only():
    assert v11b_of("THE Cat Sat Down", "the cat sat down").score == exactly(100)
    assert v11b_of("Ärger", "ärger").bleu1 == 0


def test_v11b_of_many_totals_at_once_equals_sacrebleu_without_smoothing():
    totals = random_totals((3, 50), np.random.default_rng(1))
    score = bleu_v11b.of_totals(totals).score
    for place in np.ndindex(3, 50):
        system, reference, *counts = totals[place].tolist()
        assert score[place] == exactly(BLEU.compute_bleu(counts[:4], counts[4:], system, reference).score)
    assert 10 < (score > 0).sum() < 140
