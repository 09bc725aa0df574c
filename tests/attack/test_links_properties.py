"""Links: what is written is read again, what is no link is one sentence, and pieces are linked as their words are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.alignment import pharaoh
from stages.alignment.piece_links import piece_links, read_piece_links
from stages.files import links
from stages.files.errors import InputError
from stages.files.links import MarkedLink
from stages.files.text import write_lines
from stages.measures import gold_links
from stages.text.symbols import CONTINUES
from tests.attack.refusals import refusal

number = st.integers(0, 10**30) | st.integers(0, 5)
marked = st.lists(st.builds(MarkedLink, number, number, st.booleans()), max_size=8)
anything = st.text("0123456789-? \t\xa0٣²", max_size=40) | st.text(max_size=40)
pieces = st.lists(st.sampled_from(["a", f"a{CONTINUES}", CONTINUES, f"b{CONTINUES}"]), min_size=1, max_size=9)


@given(marked)
def test_written_links_are_read_as_they_were_and_one_of_both_kinds_is_sure(found):
    kinds = {(i, j): sure for i, j, sure in sorted(found)}
    assert links.parse(links.write(found)) == [MarkedLink(*pair, sure) for pair, sure in sorted(kinds.items())]
    sure = [link[:2] for link in found if link.sure]
    assert pharaoh.parse(pharaoh.write(sure)) == sorted(set(sure))


@given(anything)
def test_what_is_no_link_is_refused_by_every_reader_of_links(line):
    words = [word for word in line.replace("\t", " ").split(" ") if word]  # no other white space parts links
    sound = all(word.isascii() and word.replace("?", "-", 1).replace("-", "", 1).isdigit() for word in words) and all(
        word[0].isdigit() and word[-1].isdigit() and len([one for one in word if one in "-?"]) == 1 for word in words
    )
    for parse in (links.parse, gold_links.parse):
        if sound:
            parse(line)
        else:
            with pytest.raises(ValueError, match="is not a link"):
                parse(line)


@given(pieces, pieces, st.booleans(), st.data())
def test_pieces_are_linked_just_as_their_words(source, target, reverse, data):
    sides = [_words(side) for side in (source, target)]
    ends = [st.integers(0, len(side) - 1) for side in (reversed(sides) if reverse else sides)]
    found = data.draw(st.sets(st.tuples(*ends), max_size=8))
    linked = piece_links(found, source, target, reverse)
    assert linked == sorted(
        (s, t)
        for s in range(len(source))
        for t in range(len(target))
        if tuple(reversed(_pair(sides, s, t)) if reverse else _pair(sides, s, t)) in found
    )


@given(st.lists(st.tuples(anything, pieces, pieces), min_size=1, max_size=4))
def test_a_file_of_links_is_read_or_refused_with_its_line(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("links")
    lines, *texts = zip(*rows, strict=True)
    write_lines(folder / "links", (" ".join(line.split()) for line in lines))
    for name, text in zip(("source", "target"), texts, strict=True):
        write_lines(folder / name, map(" ".join, text))
    try:
        found = list(read_piece_links(folder / "links", folder / "source", folder / "target", reverse=False))
    except InputError as error:
        assert ", line " in refusal(error, folder)
        return
    assert len(found) == len(rows)


def _words(side: list[str]) -> list[list[int]]:
    """The pieces of each word, one after the other."""
    words: list[list[int]] = [[]]
    for k, piece in enumerate(side):
        words[-1].append(k)
        if not piece.endswith(CONTINUES):
            words.append([])
    return [word for word in words if word]


def _pair(sides: list[list[list[int]]], s: int, t: int) -> tuple[int, int]:
    """The words of a source and a target piece."""
    return _word(sides[0], s), _word(sides[1], t)


def _word(words: list[list[int]], piece: int) -> int:
    return next(k for k, word in enumerate(words) if piece in word)
