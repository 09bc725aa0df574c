"""Gold links as files have them: read, written, refused."""

from pathlib import Path

import pytest

from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.parallel import Sentence
from stages.files.errors import InputError
from stages.files.links import MarkedLink

PAIR = Sentence("a b c", "x y")


def test_links_are_read_and_written_sorted():
    text = "2-0 0-1 1?1 0?0"
    links = parse_links(Path("gold.align"), [text, ""], (PAIR, PAIR), Path("gold.en"))
    assert links == (
        frozenset({MarkedLink(2, 0, True), MarkedLink(0, 1, True), MarkedLink(1, 1, False), MarkedLink(0, 0, False)}),
        frozenset(),
    )
    assert GoldSet((PAIR, PAIR), links).alignment_lines() == ["0?0 0-1 1?1 2-0", ""]


def test_a_link_that_is_sure_and_possible_is_sure():
    assert GoldSet((PAIR,), (frozenset({MarkedLink(0, 0, False), MarkedLink(0, 0, True)}),)).alignment_lines() == [
        "0-0"
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["0-0", "0-0 3-1"],
            "gold.align, line 2: link 3-1 lies outside its sentence of 3 source and 2 target words",
        ),
        (["0-2", "0-0"], "gold.align, line 1: link 0-2 lies outside"),
        (["0-0", "1:1"], "gold.align, line 2: '1:1' is not a link"),
        (["0-0", "-1-1"], "gold.align, line 2: '-1-1' is not a link"),
        (["0-0", "1--1"], "gold.align, line 2: '1--1' is not a link"),
        (["0-0"], "gold.align has 1 lines but gold.en has 2"),
    ],
)
def test_bad_links(lines, message):
    with pytest.raises(InputError) as error:
        parse_links(Path("gold.align"), lines, (PAIR, PAIR), Path("gold.en"))
    assert str(error.value).startswith(message)
