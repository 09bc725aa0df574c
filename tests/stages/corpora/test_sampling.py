"""Samples: the same on every run, nested, from everywhere, and as long as is wanted."""

from collections import Counter

import pytest

from stages.corpora.parallel import Sentence, length
from stages.corpora.sampling import CANDIDATES, draw, draw_by_length, in_random_order, quotas

PAIRS = [Sentence(f"s{k:04}", f"t{k:04}") for k in range(1000)]


def test_limit_draws_the_same_ordered_nested_sample_from_everywhere():
    pairs = PAIRS
    small, again, large = (draw(pairs, count, "limit") for count in (100, 100, 300))
    assert small == again == sorted(small) and len(small) == 100
    assert set(small) < set(large)
    assert {int(pair.source[1:]) // 100 for pair in small} == set(range(10))
    assert draw(pairs, 5000, "limit") == pairs and draw(pairs, 100, "other purpose") != small


@pytest.mark.parametrize(
    ("lengths", "count", "wanted"),
    [
        ([3, 1, 3, 2], 4, {1: 1, 2: 1, 3: 2}),
        ([3, 1, 3, 2], 400, {1: 100, 2: 100, 3: 200}),
        ([1, 2, 3], 2, {1: 0, 2: 1, 3: 1}),
        ([5], 7, {5: 7}),
    ],
)
def test_quotas_spread_as_the_lengths_are(lengths, count, wanted):
    assert quotas(lengths, count) == wanted


def test_quotas_sum_to_the_count():
    lengths = [k % 29 + 1 for k in range(447)]
    assert [sum(quotas(lengths, count).values()) for count in range(1, 300, 7)] == list(range(1, 300, 7))


def test_draw_by_length_is_a_nested_ordered_sample_of_each_length():
    pairs = [Sentence(" ".join(f"s{k}" for _ in range(k % 5 + 1)), f"t{k:04}") for k in range(1000)]
    small, again = (draw_by_length(pairs, {2: 10, 4: 30}, "limit") for _ in range(2))
    large = draw_by_length(pairs, {2: 20, 4: 60, 5: 900}, "limit")
    assert small == again == sorted(small, key=lambda pair: pair.target) and set(small) < set(large)
    assert Counter(length(pair.source) for pair in small) == {2: 10, 4: 30}
    assert Counter(length(pair.source) for pair in large) == {2: 20, 4: 60, 5: 200}  # all that there are of 5
    assert len({int(pair.target[1:]) // 200 for pair in small}) == 5


def test_one_length_is_drawn_as_all_are():
    assert draw_by_length(PAIRS, {1: 100}, "limit") == draw(PAIRS, 100, "limit")


@pytest.mark.parametrize("about", [1, 30, 2000])
def test_random_order_gives_each_pair_once_however_few_are_held(about):
    reads = []

    def read():
        reads.append(1)
        return iter(PAIRS)

    found = list(in_random_order(read, about, "limit"))
    assert sorted(found) == list(enumerate(PAIRS)) and [k for k, _ in found] != sorted(k for k, _ in found)
    assert found == list(in_random_order(read, 500, "limit"))
    first = [pair for _, pair in sorted(found[:100])]
    assert first == draw(PAIRS, 100, "limit")
    assert len(reads) > 1 or CANDIDATES * about > len(PAIRS)
