"""Links as text."""

import pytest

from stages.files import links


def test_links_are_read_as_they_are_written():
    assert links.parse("2-3 10-0 2?3 2-3") == [(2, 3, True), (10, 0, True), (2, 3, False), (2, 3, True)]
    assert links.parse(" ") == []


def test_links_are_written_sorted_and_once():
    assert links.write(links.parse("10-0 2-11 2?3 2-3 0?1")) == "0?1 2-3 2-11 10-0"
    assert links.write([]) == ""


@pytest.mark.parametrize("given", ["1:2", "1-", "-1-2", "1-2/1", "a-b", "1-2,3-4", "1--2", "0-0-0", "1 - 2", "１-２"])
def test_malformed_links_are_named(given):
    with pytest.raises(ValueError, match=f"'{given.split()[0]}' is not a link: write i-j"):
        links.parse(f"0-0 {given}")


@pytest.mark.parametrize("outside", [(3, 0), (0, 2), (-1, 0), (0, -1)])
def test_links_outside_their_sentence_are_named(outside):
    links.check_bounds([(0, 0), (2, 1)], 3, 2)
    with pytest.raises(ValueError, match="link {}-{} lies outside its sentence of 3 source and 2".format(*outside)):
        links.check_bounds([(0, 0), outside], 3, 2)
