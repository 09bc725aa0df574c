"""A perfect system on the public corpora: their own references through the text's whole way."""

import os
from pathlib import Path

import pytest

from stages.corpora import mix
from stages.corpora.chinese import straight
from stages.corpora.round_trip import round_trip
from stages.corpora.tokenise import tokeniser
from stages.files.text import read_lines

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
