"""Nearest target words of frequent source words by an embedding transform (Kuang et al. 2018, Table 7)."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.papers.printed import Word
from stages.reporting.results import System
from stages.reporting.table import Cell, Table, escape, markdown

ABOUT = """# Embedding transform

The most frequent source words that the lexical table translates into a word of the target vocabulary, the target words
nearest to W E_x(x) (from the nearest on), and the lexical table's most likely translation (bold: the nearest word is
it). First seed. Precision over 1,000 words stands in main.csv as transform_p1 and transform_p5.
"""

HEADINGS = ("Source word", "in train", "nearest target words", "lexical table")


def write_bridges(systems: Sequence[System], folder: Path) -> None:
    """`transform.md`, a section for each system that bridges; no file without such systems."""
    found = [(system.title, system.runs[0].bridged) for system in systems if system.runs[0].bridged is not None]
    if found:
        sections = (f"## {title}\n\n{markdown(_table(words))}" for title, words in found)
        (folder / "transform.md").write_text("\n".join([ABOUT, *sections]), encoding="utf-8")


def bridged_words(systems: Sequence[System]) -> list[Word]:
    """For the paper's own table: the words of the paper's system, the first row that bridges directly."""
    found = [system.runs[0].bridged for system in systems if system.runs[0].bridged is not None]
    return (
        [Word(source=one["word"], nearest=one["nearest"][0], lexicon=one["lexicon"]) for one in found[0]]
        if found
        else []
    )


def _table(words: Sequence[dict]) -> Table:
    return Table(HEADINGS, tuple((word["word"], _cells(word)) for word in words))


def _cells(word: dict) -> tuple[Cell, ...]:
    right = word["nearest"][0] == word["lexicon"]
    return (
        Cell(f"{word['count']:,}", False),
        Cell(escape(" ".join(word["nearest"])), False),
        Cell(escape(word["lexicon"]), right),
    )
