"""The demo's sentences: as many as asked for, the same from the same seed, and correct English on the surface."""

import hashlib
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from stages.corpora.demo import MAX_WORDS, Pair, generate
from stages.corpora.demo_language.grammar import Grammar
from stages.corpora.download import DOWNLOADS, Sources
from stages.corpus import make
from stages.settings.corpora import CorpusSettings
from stages.settings.params import section
from tests.helpers.paths import ROOT

SETS = ("train", "dev", "test", "gold")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def test_sizes(sets: dict[str, list[Pair]]) -> None:
    assert {name: len(sets[name]) for name in sets} == {"train": 2000, "dev": 300, "test": 300, "gold": 200}


def test_empty_sets() -> None:
    assert generate(0, 0, 0, 0, seed=3) == {name: [] for name in SETS}


def test_same_seed_same_text_other_seed_other_text() -> None:
    assert generate(50, 20, 20, 20, seed=5) == generate(50, 20, 20, 20, seed=5)
    assert generate(50, 20, 20, 20, seed=5) != generate(50, 20, 20, 20, seed=6)


def test_size_of_train_leaves_the_other_sets_alone() -> None:
    small, large = generate(10, 30, 30, 30, seed=2), generate(400, 30, 30, 30, seed=2)
    for name in ("dev", "test", "gold"):
        assert small[name] == large[name]
    assert large["train"][:10] == small["train"]


@pytest.mark.process
def test_text_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import hashlib; from stages.corpora.demo import generate; sets = generate(200, 20, 20, 20, seed=1);"
        "text = repr([(p.source, p.target, p.references, sorted(p.links)) for k in sets for p in sets[k]]);"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1


def test_words_tags_and_links_fit(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert len(pair.source) == len(pair.source_tags)
        assert len(pair.target) == len(pair.target_tags)
        for word in (*pair.source, *pair.target, *pair.source_tags, *pair.target_tags):
            assert word
            assert not any(mark.isspace() for mark in word)
            assert not set(word) & set("{}^+|"), f"{word!r} has a mark of the notation in it"
        assert all(0 <= i < len(pair.source) and 0 <= j < len(pair.target) for i, j, _ in pair.links)
        assert len({(i, j) for i, j, _ in pair.links}) == len(pair.links)
        assert any(sure for _, _, sure in pair.links)


def test_scripts_are_not_mixed(pairs: list[Pair]) -> None:
    def han(word: str) -> bool:
        return any("\u4e00" <= mark <= "\u9fff" for mark in word)

    for pair in pairs:
        assert not any(han(word) for word in pair.target)
        assert all(han(word) or tag == "PU" for word, tag in zip(pair.source, pair.source_tags, strict=True))


def test_tagsets(pairs: list[Pair]) -> None:
    source = {tag for pair in pairs for tag in pair.source_tags}
    target = {tag for pair in pairs for tag in pair.target_tags}
    assert source <= _words("AD AS BA CC CD CS DEC DEG DT JJ LB LC M NN NR NT OD P PN PU SB SP VA VC VE VV")
    assert {"NN", "NR", "NT", "VV", "VA", "VC", "VE", "P", "CD", "M", "DEC", "DEG", "CC", "LC", "PU", "PN"} <= source
    assert target <= _words(
        "CC CD DT EX IN JJ JJR JJS MD NN NNP NNPS NNS POS PRP RB RP TO VB VBD VBG VBN VBP VBZ WDT WP . ,"
    )


def test_lengths(pairs: list[Pair]) -> None:
    for side in ("source", "target"):
        lengths = [len(getattr(pair, side)) for pair in pairs]
        assert 9 <= mean(lengths) <= 14
        assert min(lengths) >= 3
        assert 40 <= max(lengths) <= MAX_WORDS


def test_no_source_sentence_occurs_twice(pairs: list[Pair]) -> None:
    assert len({pair.source for pair in pairs}) == len(pairs)


def test_references(sets: dict[str, list[Pair]]) -> None:
    for name in SETS:
        for pair in sets[name]:
            assert len(pair.references) == (2 if name in ("dev", "test") else 1)
            assert pair.references[0] == " ".join(pair.target)
            assert all(text[0].isupper() or text[0].isdigit() for text in pair.references)
            assert all(len(text.split(" ")) <= MAX_WORDS + 10 for text in pair.references)
    two = [pair.references for name in ("dev", "test") for pair in sets[name]]
    assert sum(first != second for first, second in two) > 0.6 * len(two)


def test_the_paraphrase_translates_the_same_chinese() -> None:
    for number in range(500):
        usual, other = (Grammar(Random(number), paraphrase).sentence() for paraphrase in (False, True))
        assert [(word.text, word.tag) for word in usual.source] == [(word.text, word.tag) for word in other.source]


def test_articles_agree(pairs: list[Pair]) -> None:
    vowel = set("aeiou")
    for pair in pairs:
        for article, following in zip(pair.target, pair.target[1:], strict=False):
            word = following.lower()
            if article.lower() == "a":
                assert (word[0] not in vowel and word[0] != "8") or word.startswith(("uni", "use")), pair.target
            if article.lower() == "an":
                assert word[0] in vowel or word.startswith(("8", "11", "18")), pair.target


def test_number_agrees_with_the_count(pairs: list[Pair]) -> None:
    plural_after_number = Counter()
    for pair in pairs:
        for word, tag, following in zip(pair.target, pair.target_tags, pair.target_tags[1:], strict=False):
            if tag == "CD" and word.lower() in ("two", "three", "four", "five", "six", "seven", "eight", "nine"):
                plural_after_number[following] += 1
    assert plural_after_number["NNS"] > 50
    assert plural_after_number["NNP"] == 0


@pytest.mark.parametrize(
    "first, second",
    [("a", "a"), ("the", "the"), ("the", "a"), ("a", "the"), ("of", "of"), ("to", "to"), (",", ",")],
)
def test_no_stuttering(pairs: list[Pair], first: str, second: str) -> None:
    for pair in pairs:
        assert (first, second) not in {
            (left.lower(), right) for left, right in zip(pair.target, pair.target[1:], strict=False)
        }


def test_speed() -> None:
    """A free core makes 8,000 pairs in 2 s; a busy one may take ten times as long, but no more."""
    start = time.process_time()
    generate(1000, 0, 0, 0, seed=9)
    assert time.process_time() - start < 3


def test_the_text_is_that_of_the_results_in_git(tmp_path: Path) -> None:
    """What generated text was hashed to when the results of demo-small were made: another text needs new results."""
    settings = section("corpora.demo-small.corpus", CorpusSettings, ROOT / "params.yaml")
    make("demo-small", settings, Sources(None, DOWNLOADS), tmp_path / "corpus")
    text = hashlib.sha256()
    for file in sorted((tmp_path / "corpus").iterdir()):
        if file.name != "stats.json":
            text.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()} ".encode())
    assert text.hexdigest() == "001856943a14c36570fd035ee9ad66699f5cb36286a0c82b864731c590638918"
