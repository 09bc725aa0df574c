"""A perfect system on the public corpora: their own references through the text's whole way."""

import os
from pathlib import Path

import numpy as np
import pytest

from stages.corpora import mix
from stages.corpora.chinese import straight
from stages.corpora.round_trip import round_trip
from stages.corpora.tokenise import tokeniser
from stages.files.text import read_lines
from stages.measures import bleu, ter
from stages.scoring.text_counts import Reading, text_rows
from stages.settings.scoring import ScoreSettings
from stages.translating.translations import Translation

MIRROR = os.environ.get("CORPUS_MIRROR")
CEILINGS = {"newstest2018.en": 97.3, "newstest2019.en": 99.2, "newstest2020.en": 96.1}
"""As docs/corpora.md states them: their English mixes straight and curly quotation marks."""
MULTI30K = [
    f"{name}.{language}"
    for name in ("dev", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
    for language in ("de", "en")
]
SENTENCES = 1000
"""Of Chinese, whose tokeniser is slow."""

pytestmark = pytest.mark.skipif(MIRROR is None, reason="CORPUS_MIRROR names no folder with the public corpora")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_words_of_hansards_are_compared_as_words(language: str) -> None:
    words = read_lines(Path(MIRROR) / "wpt03-hansards-en-fr" / f"gold.{language}")
    as_tokens = ScoreSettings(detokenise=False, bleu_tokenize="none", aer_eos="drop", unk_replace="none")
    perfect = [line.lower().split(" ") for line in words]
    made = [Translation(each, each, np.eye(len(each)), []) for each in perfect]
    rows = text_rows(made, [(line,) for line in words], Reading(as_tokens, language, {}))
    assert bleu.of_totals(rows["bleu"].sum(axis=0)).score >= 99.5 and ter.of_totals(rows["ter"].sum(axis=0)) == 0


@pytest.mark.parametrize("name", MULTI30K)
def test_multi30k(name: str) -> None:
    lines, language = read_lines(Path(MIRROR) / "multi30k-en-de" / name), name[-2:]
    assert round_trip(list(map(tokeniser(language), lines)), lines, language).bleu >= 99.5


@pytest.mark.parametrize("name", sorted(mix.HELD_OUT))
def test_sets_of_the_mix(name: str) -> None:
    published = mix.HELD_OUT[name]
    folder = Path(MIRROR) / mix.PUBLICATIONS[published.corpus].folder
    chinese, english = (read_lines(folder / file) for file in (published.zh, published.en[0]))
    if published.tokenised:
        english = mix._running(english)
    words = [tokeniser("en")(straight(line)) for line in english]
    assert round_trip(words, english, "en").bleu >= CEILINGS.get(f"{name}.en", 99.5)
    chinese = chinese[:SENTENCES]
    assert round_trip(list(map(tokeniser("zh"), chinese)), chinese, "zh").bleu >= 99.5
