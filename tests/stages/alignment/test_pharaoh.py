"""The format of links: written in order, and what is no link."""

import pytest

from stages.alignment import pharaoh


def test_links_are_written_in_the_order_of_their_words() -> None:
    assert pharaoh.write([(10, 0), (2, 11), (2, 3)]) == "2-3 2-11 10-0"
    assert pharaoh.parse("2-3 2-11 10-0") == [(2, 3), (2, 11), (10, 0)]


@pytest.mark.parametrize("line", ["0:1", "0?1", "1-", "-1-2", "0-0-0", "a-b"])
def test_what_is_not_a_link_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="is not a link"):
        pharaoh.parse(f"0-0 {line}")
