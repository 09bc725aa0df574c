"""Filters: which pairs training keeps, and what counts as the same sentence."""

from dataclasses import replace

import pytest

from stages.corpora.filters import Filters, draw, key, select_train
from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import Sentence, single_spaced
from stages.files.errors import InputError
from tests.helpers.corpora.made_up import corpus_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Der Hund .", "der hund.", True),
        ("ﬁve ５", "FIVE 5", True),  # ligature and full-width digit
        ("a\u00a0b", "ab", True),
        ("a\u3000b", "a b", True),
        ("Ünder", "U\u0308nder", True),
        ("under", "ünder", False),
    ],
)
def test_key(one, other, same):
    assert (key(one) == key(other)) is same


@pytest.mark.parametrize("line", ["a b", "a  b", " a b ", "a\tb", "a\u00a0b", "a\u3000b", "a b\u2003"])
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
        ("kept", "one"),
    ]
    gold = GoldSet((Sentence("GOLD g", "z"),), (frozenset(),))
    kept, counts = select_train(corpus_of(train, [("dev a", "Dev a .")], gold), Filters(max_length=2, limit=None))
    assert [pair[:2] for pair in kept] == [("kept", "one")] * 2
    assert counts == {
        **{
            "read": 7,
            "held_out": 0,
            "empty": 0,
            "too_long": 1,
            "separator": 1,
            "overlap": 3,
            "over_limit": 0,
            "kept": 2,
        }
    }


def test_references_of_a_held_out_set_count_as_overlap():
    corpus = corpus_of([("a", "second reference"), ("b", "y")], [("dev", "first")])
    dev = replace(corpus.dev, target_references=(("first",), ("Second reference",)))
    kept, counts = select_train(replace(corpus, dev=dev), Filters(max_length=9, limit=None))
    assert ([pair.source for pair in kept], counts["overlap"]) == (["b"], 1)


def test_limit_draws_the_same_ordered_nested_sample_from_everywhere():
    pairs = [Sentence(f"s{k:04}", f"t{k:04}") for k in range(1000)]
    small, again, large = (draw(pairs, count, "limit") for count in (100, 100, 300))
    assert small == again == sorted(small) and len(small) == 100
    assert set(small) < set(large)
    assert {int(pair.source[1:]) // 100 for pair in small} == set(range(10))
    assert draw(pairs, 5000, "limit") == pairs and draw(pairs, 100, "other purpose") != small


def test_nothing_left_to_train_on():
    with pytest.raises(InputError, match=r"no training pair is left of 1 \(1 too long"):
        select_train(corpus_of([("a b", "x")], [("c", "d")]), Filters(max_length=1, limit=None))
