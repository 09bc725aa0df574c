"""What parts words in text that is tokenised already: blanks and tabs, in every reader, and nothing else."""

from pathlib import Path

import pytest

from stages.corpora.parallel import single_spaced
from stages.corpus import make
from stages.files import links
from stages.files.text import OPEN_BOX, read_lines, write_lines
from tests.helpers.corpora.made_up import LOCAL, NOWHERE, local


def test_blanks_and_tabs_part_words() -> None:
    assert single_spaced(" a\tb  c ") == "a b c"
    assert single_spaced("10\u00a0000 a\u3000b") == f"10{OPEN_BOX}000 a{OPEN_BOX}b"
    assert single_spaced(" \u3000 a b\u2003\r\n") == f"{OPEN_BOX} a b{OPEN_BOX}"


def test_a_gold_token_with_a_no_break_space_or_a_line_separator_stays_one(tmp_path: Path) -> None:
    for name, lines in LOCAL.items():
        write_lines(tmp_path / name, lines)
    (tmp_path / "gold.de").write_text("10\u00a0000\u2028x Hunde\n", encoding="utf-8")
    (tmp_path / "gold.align").write_text("1-1\n")
    make("mine", local(tmp_path), NOWHERE, tmp_path / "corpus")
    assert [len(line.split()) for line in read_lines(tmp_path / "corpus" / "gold.de")] == [2]


@pytest.mark.parametrize("odd", ["\u3000", "\u00a0", "\x85", "\u2028", "\f", "\ufeff"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_gold_token_of_white_space_or_a_mark_counts_wherever_it_stands(tmp_path: Path, odd: str, place: int) -> None:
    for name, lines in LOCAL.items():
        write_lines(tmp_path / name, lines)
    words = ["a", "b"]
    words.insert(place, odd)
    (tmp_path / "gold.de").write_text(f"der Hund\n{' '.join(words)} \r\n", encoding="utf-8", newline="")
    write_lines(tmp_path / "gold.en", ["the dog", "x y z"])
    write_lines(tmp_path / "gold.align", ["0-0", "0-0 2-2"])
    make("mine", local(tmp_path), NOWHERE, tmp_path / "corpus")
    words[place] = OPEN_BOX
    assert read_lines(tmp_path / "corpus" / "gold.de")[1] == " ".join(words)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("\ufeff a\n\ufeffb c\ufeff\n", ("a", "b c")),  # of the file, of files that were joined
        ("\u3000\n \ufeff \x85\n\0\u00a0\0\n", ("", "", "")),  # of which links to no word can count any
        ("\0 a\0\u3000b\0\n", (f"a {OPEN_BOX}b",)),
    ],
)
def test_tokenised_lines(tmp_path: Path, content: str, lines: tuple[str, ...]) -> None:
    (tmp_path / "text").write_text(content, encoding="utf-8")
    assert read_lines(tmp_path / "text", allow_empty=True, tokenised=True) == lines


def test_the_references_of_tokenised_text_keep_their_tokens(tmp_path: Path) -> None:
    for name, lines in LOCAL.items():
        write_lines(tmp_path / name, lines)
    (tmp_path / "test.en").write_text("10\u202f000 trees\n", encoding="utf-8")
    make("mine", local(tmp_path), NOWHERE, tmp_path / "corpus")
    assert read_lines(tmp_path / "corpus" / "test.en") == read_lines(tmp_path / "corpus" / "test.ref0.en")


def test_links_are_parted_as_words_are() -> None:
    assert len(links.parse("0-0\t1-1  2-2")) == 3
