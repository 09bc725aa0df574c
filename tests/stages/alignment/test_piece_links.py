"""Links between the pieces of words."""

from pathlib import Path

import pytest

from stages.alignment import pharaoh
from stages.alignment.piece_links import piece_links, read_piece_links
from stages.files.errors import InputError
from stages.files.text import write_lines

SOURCE, TARGET = ["a@@", "b", "c", "d@@", "e@@", "f"], ["A", "B@@", "C", "D"]  # ab c def | A BC D


@pytest.mark.parametrize(
    ("links", "reverse", "pieces"),
    [
        ("", False, ""),
        ("1-0", False, "2-0"),
        ("0-1", False, "0-1 0-2 1-1 1-2"),
        ("2-2 2-0", False, "3-0 3-3 4-0 4-3 5-0 5-3"),
        ("1-0", True, "0-1 0-2 1-1 1-2"),  # the file says: word 1 of the run's target, word 0 of its source
        ("0-2", True, "3-0 4-0 5-0"),
    ],
)
def test_a_link_becomes_all_pairs_of_pieces(links: str, reverse: bool, pieces: str) -> None:
    assert pharaoh.write(piece_links(pharaoh.parse(links), SOURCE, TARGET, reverse)) == pieces


@pytest.mark.parametrize(("links", "reverse"), [("3-0", False), ("0-3", False), ("0-3", True), ("3-0", True)])
def test_a_link_outside_its_sentence_is_refused(links: str, reverse: bool) -> None:
    with pytest.raises(ValueError, match=f"link {links} lies outside"):
        piece_links(pharaoh.parse(links), SOURCE, TARGET, reverse)


def files(folder: Path, links: list[str], source: list[str], target: list[str]) -> list[Path]:
    paths = [folder / name for name in ("train.gdfa", "train.de", "train.en")]
    for path, lines in zip(paths, (links, source, target), strict=True):
        write_lines(path, lines)
    return paths


def test_links_of_a_file_in_pieces(tmp_path: Path) -> None:
    paths = files(tmp_path, ["0-1", ""], [" ".join(SOURCE), "a"], [" ".join(TARGET), "A"])
    assert list(read_piece_links(*paths, reverse=False)) == [[(0, 1), (0, 2), (1, 1), (1, 2)], []]
    assert list(read_piece_links(*paths, reverse=True)) == [[(2, 0)], []]


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (["0-0"], "train.gdfa has 1 lines but .*train.de has 2"),
        (["0-0", "0-0", ""], "train.gdfa has 3 lines but .*train.de has 2"),
        (["0-0", "0-1"], "train.gdfa, line 2: link 0-1 lies outside its sentence of 1 source and 1 target words"),
        (["0-0", "0?0"], "train.gdfa, line 2: '0\\?0' is not a link"),
    ],
)
def test_links_that_do_not_fit_their_text_are_refused(tmp_path: Path, links: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_piece_links(*files(tmp_path, links, ["a@@ b", "a"], ["A", "B"]), reverse=False))
