"""Filters: which pairs training keeps, and what counts as the same sentence."""

from dataclasses import replace

import pytest

from stages.corpora.filters import Filters, key
from stages.corpora.gold_set import GoldSet
from stages.corpora.mismatched import Mismatched
from stages.corpora.parallel import Sentence, single_spaced
from stages.corpora.selection import select_train
from stages.files.errors import InputError
from stages.settings.corpora import MismatchedPairs
from tests.helpers.corpora.made_up import corpus_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Der Hund .", "der hund.", True),
        ("ﬁve ５", "FIVE 5", True),  # ligature and full-width digit
        ("a\u00a0b", "ab", True),
        ("a\u3000b", "a b", True),
        ("10␣000 a ␣", "10 000 a", True),  # gold sets are tokenised text, with placeholders for white space
        ("Ünder", "U\u0308nder", True),
        ("under", "ünder", False),
    ],
)
def test_key(one, other, same):
    assert (key(one) == key(other)) is same


@pytest.mark.parametrize("line", ["a b", "a  b", " a b ", "a\tb"])
def test_single_spaced(line):
    assert single_spaced(line) == "a b"


def test_train_is_cleared_of_long_and_overlapping_pairs():
    train = [
        ("a b c", "x"),  # too long
        ("kept", "one"),
        ("Dev A", "other"),  # source side in dev
        ("other", "deva."),  # target side in dev
        ("gold G", "other"),  # source side in gold
        ("cut@@ word", "y"),
        ("a", "<pad> y"),
        ("kept", "one"),
    ]
    gold = GoldSet((Sentence("GOLD g", "z"),), (frozenset(),))
    kept, counts, _ = select_train(corpus_of(train, [("dev a", "Dev a .")], gold), Filters(max_length=2, limit=None))
    assert [pair[:2] for pair in kept] == [("kept", "one")] * 2
    assert counts == {
        **{
            "read": 8,
            "held_out": 0,
            "empty": 0,
            "too_long": 1,
            "separator": 2,
            "overlap": 3,
            "over_limit": 0,
            "kept": 2,
        }
    }


def test_references_of_a_held_out_set_count_as_overlap():
    corpus = corpus_of([("a", "second reference"), ("b", "y")], [("dev", "first")])
    dev = replace(corpus.dev, target_references=(("first",), ("Second reference",)))
    kept, counts, _ = select_train(replace(corpus, dev=dev), Filters(max_length=9, limit=None))
    assert ([pair.source for pair in kept], counts["overlap"]) == (["b"], 1)


def test_capitals_are_those_of_the_language():
    corpus = corpus_of([("IŞIK", "one"), ("İZMİR", "two")], [("ışık", "first"), ("izmir", "second")])
    with pytest.raises(InputError, match="2 overlap"):
        select_train(corpus, Filters(9, None, languages=("tr", "en")))


def test_nothing_left_to_train_on():
    with pytest.raises(
        InputError,
        match=r"no training pair is left of 1 \(0 empty, 1 too long, 0 separator, 0 overlap\); raise max_length",
    ):
        select_train(corpus_of([("a b", "x")], [("c", "d")]), Filters(max_length=1, limit=None))


def test_a_pair_that_is_there_already_is_dropped_and_counted():
    train = [("A b .", "x"), ("a b.", "X"), ("a b .", "y"), ("c", "x"), ("ａ b .", "x"), ("dev", "z")]
    corpus = corpus_of(train, [("dev", "d")])
    kept, counts, _ = select_train(corpus, Filters(9, None, distinct=True))
    assert [pair[:2] for pair in kept] == [("A b .", "x"), ("a b .", "y"), ("c", "x")]
    assert (counts["repeated"], counts["overlap"], counts["kept"]) == (2, 1, 3)
    assert list(counts) == [
        "read",
        "held_out",
        "empty",
        "too_long",
        "separator",
        "overlap",
        "repeated",
        "over_limit",
        "kept",
    ]
    assert "repeated" not in select_train(corpus, Filters(9, None)).counts


BROKEN = [
    (("你 好", "hello there"), None),
    (("OK 吗", "ok ?"), None),  # names stay Latin in Chinese
    (("3 ， 2", "three two"), "other_script"),
    (("你 好", "3 2 !"), "other_script"),
    (("你 好", "hello 好"), "other_script"),  # leaked subtitles
    (("你 \ufffd", "hello you"), "undecoded"),
    (("你 好", "\ufffd hello"), "undecoded"),
    (("你", "one two three"), None),
    (("你", "one two three four"), "unequal_length"),
    (("一 二 三 四", "one"), "unequal_length"),
]


@pytest.mark.parametrize(("pair", "reason"), BROKEN)
def test_broken_pairs(pair, reason):
    settings = MismatchedPairs(script=True, undecoded=True, ratio=3.0)
    assert Mismatched(("zh", "en"), settings).reason(Sentence(*pair)) == reason


def test_nothing_is_broken_that_is_not_looked_for():
    mismatched = Mismatched(("zh", "en"), MismatchedPairs(script=False, undecoded=False, ratio=None))
    assert [mismatched.reason(Sentence(*pair)) for pair, _ in BROKEN] == [None] * len(BROKEN)
    assert mismatched.reasons == ()


def test_broken_pairs_are_counted_by_reason():
    mismatched = Mismatched(("zh", "en"), MismatchedPairs(script=True, undecoded=True, ratio=3.0))
    corpus = corpus_of([pair for pair, _ in BROKEN], [("开", "dev")])
    kept, counts, _ = select_train(corpus, Filters(9, None, mismatched=mismatched))
    assert [pair[:2] for pair in kept] == [pair for pair, reason in BROKEN if reason is None]
    assert (counts["other_script"], counts["undecoded"], counts["unequal_length"]) == (3, 2, 2)
