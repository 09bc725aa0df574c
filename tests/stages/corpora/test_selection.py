"""Training text of several sources, and of the lengths that are wanted."""

from collections import Counter
from dataclasses import replace

import pytest

from stages.corpora.filters import Filters
from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import Sentence, length
from stages.corpora.raw_corpus import Corpus, Part
from stages.corpora.sampling import draw
from stages.corpora.selection import select_train
from stages.files.errors import InputError
from tests.helpers.corpora.made_up import corpus_of

FIRST = [(f"a{k}", f"x{k}") for k in range(400)]
SECOND = [*FIRST[:200], *((f"b{k}", f"y{k}") for k in range(100)), ("dev", "y")]
HELD = corpus_of([], [("dev", "d")])


def of_parts(*parts: Part) -> Corpus:
    return replace(HELD, train=parts)


def part(name: str, pairs: list[tuple[str, str]], limit: int | None) -> Part:
    return Part(name, pairs, lambda pair: Sentence(*pair), limit)


def test_parts_follow_each_other_each_with_its_limit():
    corpus = of_parts(part("one", FIRST, 30), part("two", SECOND, None))
    kept, counts, parts = select_train(corpus, Filters(9, None))
    assert kept == [*draw([Sentence(*pair) for pair in FIRST], 30, "limit one"), *(Sentence(*p) for p in SECOND[:-1])]
    assert select_train(corpus, Filters(9, None)) == (kept, counts, parts)
    assert parts["one"] == {
        **{"read": 400, "held_out": 0, "empty": 0, "too_long": 0, "separator": 0, "overlap": 0},
        **{"over_limit": 370, "kept": 30},
    }
    assert (parts["two"]["overlap"], parts["two"]["kept"]) == (1, 300)
    assert counts == {key: sum(of[key] for of in parts.values()) for key in counts}


def test_a_part_repeats_only_what_was_kept_before():
    corpus = of_parts(part("one", FIRST, 30), part("two", SECOND, None))
    kept, _, parts = select_train(corpus, Filters(9, None, distinct=True))
    assert len(set(kept)) == len(kept)
    shared = len(set(kept[:30]) & {Sentence(*pair) for pair in SECOND})
    assert 0 < shared < 30 and parts["two"]["repeated"] == shared and parts["two"]["kept"] == 300 - shared


def test_the_order_of_the_parts_decides_whose_pair_is_kept():
    parts = (part("one", FIRST, None), part("two", SECOND, None))
    found = [select_train(of_parts(*order), Filters(9, None, distinct=True)).parts for order in (parts, parts[::-1])]
    assert [(of["one"]["repeated"], of["two"]["repeated"]) for of in found] == [(0, 200), (200, 0)]


def test_only_pairs_that_are_looked_at_are_tokenised_and_the_rest_is_over_the_limit():
    looked_at = []

    def words(pair: tuple[str, str]) -> Sentence:
        looked_at.append(pair)
        return Sentence(*pair)

    bad = [("", "no source")] * 400
    _, _, parts = select_train(of_parts(Part("one", [*FIRST, *bad], words, 30)), Filters(9, None))
    assert len(looked_at) == 30 + parts["one"]["empty"] < 200
    assert (parts["one"]["read"], parts["one"]["kept"]) == (800, 30)
    assert parts["one"]["over_limit"] == 800 - len(looked_at)


def test_a_limit_that_only_the_last_pairs_fill():
    corpus = of_parts(part("one", [("", "")] * 995 + FIRST[:5], 5))
    assert [tuple(pair[:2]) for pair in select_train(corpus, Filters(9, None)).kept] == FIRST[:5]


def test_the_limit_of_the_whole_counts_what_the_parts_kept():
    corpus = of_parts(part("one", FIRST, 30), part("two", SECOND, None))
    kept, counts, parts = select_train(corpus, Filters(9, 50))
    assert len(kept) == counts["kept"] == 50
    assert counts["over_limit"] == 370 + 280 and sum(of["kept"] for of in parts.values()) == 330


def long(words: int, k: int) -> tuple[str, str]:
    return " ".join(["w"] * (words - 1) + [f"w{k}"]), f"t{k}"


def test_lengths_of_the_gold_set():
    gold = GoldSet(tuple(Sentence(*long(words, 0)) for words in (2, 2, 2, 6, 40)), (frozenset(),) * 5)
    train = [long(k % 8 + 1, k) for k in range(1, 2000)]
    corpus = corpus_of(train, [("dev", "d")], gold)
    kept, counts, _ = select_train(corpus, Filters(10, 200, lengths_of_gold=True))
    assert Counter(length(pair.source) for pair in kept) == {2: 150, 6: 50}  # 40 is longer than max_length
    assert counts["over_limit"] == 1999 - 200 and counts["kept"] == 200
    assert kept == select_train(corpus, Filters(10, 200, lengths_of_gold=True)).kept


def test_lengths_of_a_gold_set_that_is_not_there():
    with pytest.raises(InputError, match="match_lengths_of is gold, but the corpus has no gold set; set it to null"):
        select_train(corpus_of(FIRST, [("dev", "d")]), Filters(9, 5, lengths_of_gold=True))
