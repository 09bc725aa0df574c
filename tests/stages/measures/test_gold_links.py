"""Gold links: read, turned round, held against their sentence."""

import pytest

from stages.measures import gold_links
from stages.measures.gold_links import Gold


def test_gold_reads_sure_and_possible_links():
    assert gold_links.parse("0-0 2-1 2?3 2-3") == Gold(
        frozenset({(0, 0), (2, 1), (2, 3)}), frozenset({(0, 0), (2, 1), (2, 3)})
    )
    assert gold_links.parse("0?4 1-2") == Gold(frozenset({(1, 2)}), frozenset({(0, 4), (1, 2)}))
    assert gold_links.parse("") == Gold(frozenset(), frozenset())


def test_gold_reversed_is_the_gold_of_the_other_direction():
    assert gold_links.reverse(gold_links.parse("0-1 2?3")) == gold_links.parse("1-0 3?2")


@pytest.mark.parametrize("line", ["3-0", "0-2", "0?2"])
def test_gold_link_outside_its_sentence(line):
    gold_links.check_bounds(gold_links.parse("2-1"), 3, 2)
    with pytest.raises(ValueError, match="outside"):
        gold_links.check_bounds(gold_links.parse(line), 3, 2)
