"""The phrase table in Thot's form."""

from collections import Counter
from pathlib import Path

from stages.files.text import read_lines
from stages.phrase_based.phrase_table import UNUSED, PhraseCounts, count_translations, phrases_of, write_phrase_table

SENTENCES = [
    (["das", "haus"], ["the", "house"], [(0, 0), (1, 1)]),
    (["das", "buch"], ["the", "book"], [(0, 0), (1, 1)]),
    (["das"], ["that"], [(0, 0)]),
]


def test_phrases_of_a_sentence() -> None:
    assert phrases_of([["a", "b", "c"]], 2) == {"a", "b", "c", "a b", "b c"}


def test_all_targets_are_counted_but_only_wanted_sources() -> None:
    counts = count_translations(SENTENCES, frozenset({"das", "das haus"}), 7)
    assert counts.together == {"das": Counter(the=2, that=1), "das haus": Counter({"the house": 1})}
    assert counts.targets == {"the": 2, "that": 1, "house": 1, "book": 1, "the house": 1, "the book": 1}


def test_long_phrases_are_left_out() -> None:
    assert "the house" not in count_translations(SENTENCES, frozenset({"das haus"}), 1).targets


def test_what_is_cut_off_keeps_its_share_of_the_probability(tmp_path: Path) -> None:
    together = {"b": Counter(y=1), "a": Counter(z=3, x=3, y=2, w=1)}
    assert write_phrase_table(PhraseCounts(together, Counter(w=4, x=5, y=6, z=7)), 2, tmp_path / "table") == 3
    assert read_lines(tmp_path / "table") == (
        "x ||| a ||| 5 3",
        "z ||| a ||| 7 3",
        f"{UNUSED} ||| a ||| 0 3",
        "y ||| b ||| 6 1",
    )
