"""The Hansards: their archives, and what is held out of their training text."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from stages.corpora import hansards
from stages.corpora.download import Publication, Sources
from stages.corpora.filters import Filters
from stages.corpora.published import read_members
from stages.corpora.selection import select_train
from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.settings.corpora import HansardsSettings
from tests.helpers.archives import tar_gz
from tests.helpers.corpora.made_up import COMMON


def archive_of(path: Path, members: dict[str, str]) -> Path:
    return tar_gz(path, {f"English-French/{member}": text for member, text in members.items()}, "latin-1")


TRAINING = {  # the listed order is not the alphabetical one
    "FilePairs.training": "house.2.e house.2.f\nhouse.1.e house.1.f\n",
    "training/house.1.e": "first \n",
    "training/house.1.f": " première\n",
    "training/house.2.e": "second\nthe\x1eend\n",
    "training/house.2.f": "deuxième\nla\x85fin\n",
}
TEST = {
    "test/test.e": "<s snum=0007> a b c  </s>\n<s snum=0009> d </s>\n",
    "test/test.f": "<s snum=0007> à b </s>\n<s snum=0009> é </s>\n",
    "answers/test.wa.nonullalign": "0007 3 2 P\n0007 1 1 S\n0007 3 1 P\n0007 3 1 S\n0009 1 1 S 0.5\n",
}
extract_gold = hansards.extract_gold


def test_an_archive_that_unpacks_to_too_much(tmp_path, monkeypatch):
    archive = archive_of(tmp_path / "training.tar.gz", TRAINING)
    size = sum(map(len, TRAINING.values()))
    assert len(read_members(archive, size)) == len(TRAINING)
    monkeypatch.setattr(hansards, "UNPACKED", size - 1)
    with pytest.raises(InputError, match=r"training\.tar\.gz: unpacks to more than \d+ bytes"):
        hansards.extract_training(archive)


def test_hansards_training_archive(tmp_path):
    texts = hansards.extract_training(archive_of(tmp_path / "training.tar.gz", TRAINING))
    assert {name: list(lines) for name, lines in texts.items()} == {
        "train.en": ["second", "the end", "first"],
        "train.fr": ["deuxième", "la fin", "première"],
    }


def test_hansards_test_archive(tmp_path):
    assert extract_gold(archive_of(tmp_path / "test.tar.gz", TEST)) == {
        "gold.en": ["a b c", "d"],
        "gold.fr": ["à b", "é"],
        "gold.align": ["0-0 2-0 2?1", "0-0"],
    }


@pytest.mark.parametrize(
    ("extract", "members", "change", "message"),
    [
        (hansards.extract_training, TRAINING, {"training/house.1.e": "first\nmore\n"}, "not a pair of equal length"),
        (hansards.extract_training, TRAINING, {"FilePairs.training": "house.3.e house.3.f\n"}, "has no file house.3.e"),
        (extract_gold, TEST, {"test/test.e": "<s snum=0007> a\n"}, "test.e, line 1: not of the form <s snum=…>"),
        (extract_gold, TEST, {"test/test.e": "<s snum=0007> a </s>\n"}, "the sentence numbers of"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 4 1 S\n"}, "line 1: link 3-0 lies outside"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 0 1 S\n"}, "line 1: link -1-0 lies outside"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0008 1 1 S\n"}, "line 1: there is no sentence 8"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 1 1 X\n"}, "line 1: not of the form"),
    ],
)
def test_bad_hansards_archive(tmp_path, extract, members, change, message):
    with pytest.raises(InputError) as error:
        extract(archive_of(tmp_path / "bad.tar.gz", members | change))
    assert message in str(error.value)


@pytest.mark.parametrize("damage", [lambda whole: whole[:-40], lambda whole: b"<html>" + whole[6:]])
def test_damaged_archive(tmp_path, damage):
    path = archive_of(tmp_path / "test.tar.gz", TEST)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match="truncated or corrupted"):
        extract_gold(path)


def hansards_mirror(folder: Path, train: list[tuple[str, str]]) -> Publication:
    texts = {
        **{"train.en": [pair[0] for pair in train], "train.fr": [pair[1] for pair in train]},
        **{"gold.en": ["oh , oh !", "gold"], "gold.fr": ["oh !", "or"], "gold.align": ["0-0 1?0", "0-0"]},
    }
    for name, lines in texts.items():
        write_lines(folder / "wpt03-hansards-en-fr" / name, lines)
    sha256 = {name: hashlib.sha256((folder / "wpt03-hansards-en-fr" / name).read_bytes()).hexdigest() for name in texts}
    return replace(hansards.PUBLICATION, sha256=sha256)


STOCK = [("some members :", "des députés :"), ("oh , oh !", "oh !")] * 30
UNIQUE = [(f"question {k} of the day", f"la question {k}") for k in range(60)]
LONG = [(f"{k} " + "word " * 40, f"mot {k}") for k in range(40)]
HANSARDS = {"kind": "hansards", "source": "en", "target": "fr", **COMMON, "max_length": 20, "long_test": None}


def test_hansards_hold_out_of_unique_short_pairs(tmp_path):
    publication = hansards_mirror(tmp_path, STOCK + UNIQUE + LONG)
    settings = HansardsSettings(**HANSARDS, dev=7, test=9)
    corpus, again = (hansards.load(settings, Sources(tmp_path, tmp_path), publication) for _ in range(2))
    dev, test = corpus.dev.sentences, corpus.tests["test"].sentences
    assert (dev, test) == (again.dev.sentences, again.tests["test"].sentences)
    assert (len(dev), len(set(dev)), len(test), len(set(test))) == (7, 7, 9, 9) and not set(dev) & set(test)
    assert {pair[:2] for pair in dev + test} < set(UNIQUE)
    assert corpus.tests["gold447"].sentences == corpus.gold.sentences
    kept, counts, _ = select_train(corpus, Filters(settings.max_length, None))
    assert {pair[:2] for pair in kept} == set(UNIQUE + STOCK[:1]) - {pair[:2] for pair in dev + test}
    assert counts == {
        **{
            "read": 160,
            "held_out": 16,
            "empty": 0,
            "too_long": 40,
            "separator": 0,
            "overlap": 30,
            "over_limit": 0,
            "kept": 74,
        }
    }


def test_hansards_hold_out_of_long_pairs_beside_the_others(tmp_path):
    medium = [(f"{k}" + " word" * 14, f"mot {k} ' s") for k in range(30)]
    longest = [(source.strip(), target) for source, target in LONG]
    publication = hansards_mirror(tmp_path, STOCK + UNIQUE + medium + LONG)
    plain = HansardsSettings(**HANSARDS, dev=7, test=9)
    parts = [{"words": [15, 20], "pairs": 7}, {"words": [21, 41], "pairs": 5}]
    long = HansardsSettings(**HANSARDS | {"long_test": parts}, dev=7, test=9)
    before, corpus = (hansards.load(settings, Sources(tmp_path, tmp_path), publication) for settings in (plain, long))
    found = corpus.tests["long"].sentences
    assert "long" not in before.tests and [*corpus.tests] == ["test", "long", "gold447"]
    assert (corpus.dev, corpus.tests["test"]) == (before.dev, before.tests["test"])
    assert len({pair[:2] for pair in found}) == 12
    assert {pair[:2] for pair in found[:7]} < {*medium} and {pair[:2] for pair in found[7:]} < {*longest}
    assert not {*found} & {*corpus.dev.sentences, *corpus.tests["test"].sentences}
    kept, counts, _ = select_train(corpus, Filters(50, None))
    assert counts["held_out"] == 28 and not {*found} & {*kept}
    assert len({*kept}) == len(STOCK[:1] + UNIQUE + medium + LONG) - 28


OF_ALL_LENGTHS = [(f"{k} " + "word " * (k % 30), f"mot {k} " + "mot " * (k * 7 % 36)) for k in range(400)]
"""Sources of 1 to 30 words, targets of 2 to 37."""
BEFORE = [310, 6, 17, 99, 335, 342, 90, 216, 2, 98, 212, 243, 42, 346, 120, 345]
"""What was held out of it when a target had as many words as a source at most."""


def held_out(folder: Path, **settings) -> list[tuple[int, int]]:
    """Of each pair of dev and test the number that it begins with, and the words of its target."""
    publication = hansards_mirror(folder, OF_ALL_LENGTHS)
    corpus = hansards.load(HansardsSettings(**HANSARDS | settings, dev=7, test=9), Sources(folder, folder), publication)
    pairs = [*corpus.dev.sentences, *corpus.tests["test"].sentences]
    return [(int(pair.source.split()[0]), len(pair.target.split())) for pair in pairs]


def test_hansards_targets_of_what_is_held_out(tmp_path):
    """Without a ratio what was held out before there was one; with it longer targets too, and no other sources."""
    found = held_out(tmp_path)
    assert [number for number, _ in found] == BEFORE and max(words for _, words in found) <= 20
    longer = held_out(tmp_path, target_ratio=1.5)
    assert 20 < max(words for _, words in longer) <= 30
    assert [pair for pair in longer if pair[1] <= 20] == found[: len([pair for pair in longer if pair[1] <= 20])]


@pytest.mark.parametrize(("settings", "message"), [
    ({"long_test": [{"words": [31, 30], "pairs": 1}]}, "words are from 31 to 30; exchange them"),
    ({"long_test": [{"words": [0, 30], "pairs": 1}]}, "greater than or equal to 1"),
    ({"long_test": []}, "at least 1 item"), ({"target_ratio": 0.9}, "greater than or equal to 1"),
])  # fmt: skip
def test_hansards_lengths_that_are_none(settings, message):
    with pytest.raises(ValidationError, match=message):
        HansardsSettings(**HANSARDS | settings, dev=7, test=9)


def test_hansards_too_few_to_hold_out(tmp_path):
    publication = hansards_mirror(tmp_path, STOCK + UNIQUE)
    with pytest.raises(InputError, match="only 60 of the 70 pairs wanted of 0 to 20 words"):
        hansards.load(HansardsSettings(**HANSARDS, dev=35, test=35), Sources(tmp_path, tmp_path), publication)
