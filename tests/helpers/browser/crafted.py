"""Sentences and a table made by hand, one for each thing that a drawn study need not have."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from stages.reporting.sentence_sets import SentenceSet, Side
from stages.reporting.tables.table import Cell, ReportTable, Table
from stages.translating.translations import Translation


class Case(NamedTuple):
    """A sentence, and what is to be marked.

    attention: a row a target word, and one for the end of sentence unless the translation was cut off.
    over: source word -> its sign; lost: the untranslated ones.
    """

    source: str
    target: str
    attention: list[list[float]]
    over: dict[int, str]
    lost: list[int]


EOS = [0.0, 0.0, 1.0]
HEBREW = "שלום"
CASES = {
    "the first of equals is the strongest": Case("a b", "x", [[0.4, 0.4, 0.2], EOS], {}, [1]),
    "the end of sentence is the strongest": Case("a b", "x", [[0.3, 0.2, 0.5], EOS], {}, [0, 1]),
    "a target word that looks nowhere": Case("a b", "x y", [[0, 0, 0], [0, 1, 0], EOS], {}, [0]),
    "different words for one": Case("a b", "x y", [[1, 0, 0], [0.9, 0.1, 0], EOS], {}, [1]),
    "capitals": Case("a b", "Dog dog y", [[1, 0, 0], [1, 0, 0], [0, 1, 0], EOS], {0: "+1"}, []),
    "three times": Case("a b", "x x x y", [[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0], EOS], {0: "+2"}, []),
    "cut off": Case(f"{HEBREW} b", "x y", [[1, 0, 0], [0, 1, 0]], {}, []),
}
BLEU = {"a": [10.0, 20.0, None, 40.0, 50.0, 60.0, 70.0], "b": [10.5, 50.0, 90.0, 40.0, 49.0, None, 70.2]}
"""By side; undefined where it is None. The differences are 0.5, 30, none, 0, 1, none and 0.2."""

BY_BLEU = [1, 4, 0, 6, 3, 2, 5]
"""The sentences by difference, those without one last."""

ONLY_B = "elsewhere"
"""A word of every translation of B but the first, and of nothing else."""

SECOND = "rendering"
"""A word of every second reference but the first, and of nothing else."""


def sentences(systems: Iterable[str]) -> SentenceSet:
    """A test set of the cases: the first of `systems` is A and translates them, all others are B and look nowhere."""
    first, *others = systems
    cases = list(CASES.values())
    told = [Translation(c.source.split(), c.target.split(), np.array(c.attention, float), []) for c in cases]
    other = [Translation(c.source.split(), [ONLY_B] if k else ["z"], np.zeros((2, 3)), []) for k, c in enumerate(cases)]
    sides = {first: Side(told, {"bleu": BLEU["a"]}), **{name: Side(other, {"bleu": BLEU["b"]}) for name in others}}
    references = [("one", f"a {SECOND}" if k else "two") for k in range(len(cases))]
    return SentenceSet("test", False, [c.source for c in cases], references, None, sides)


COLUMNS = {
    "score ↑": ["1,250.5", "30.1 ± 0.2", "–", "−4.5", "9"],
    "errors ↓": ["12", "3", "–", "100", "-7"],
    "time ↓": ["0:09:59", "10:00:00", "1:00:05", "–", "0:10:00"],
    "p": ["0.0100", "< 0.0001", "–", "1.0000", "0.2000"],
    "words": ["pear", "Apple", "fig", "–", "apple"],
}
ORDERS = {
    "score ↑": ["1,250.5", "30.1 ± 0.2", "9", "−4.5", "–"],
    "errors ↓": ["-7", "3", "12", "100", "–"],
    "time ↓": ["0:09:59", "0:10:00", "1:00:05", "10:00:00", "–"],
    "p": ["< 0.0001", "0.0100", "0.2000", "1.0000", "–"],
    "words": ["–", "apple", "Apple", "fig", "pear"],
}
"""The columns with the best first: what holds no number stays last, and words go by the alphabet."""

LONG = "w" * 120
"""A word that is wider than a phone."""

MARKED = "<b>row</b> & co"
TABLES = ReportTable(
    "crafted",
    "Crafted",
    "About it.",
    "",
    {
        "First part": Table(
            ("System", *COLUMNS),
            tuple(
                (MARKED if k == 0 else f"row {k}", tuple(Cell(text, best=k == 1, marks="‡" * (k == 2)) for text in row))
                for k, row in enumerate(zip(*COLUMNS.values(), strict=True))
            ),
            words=frozenset({"words"}),
            lower=frozenset({"p"}),
        ),
        "Second part": Table(
            ("System", "n"),
            (("Sentences", (Cell("2"),)), ("one", (Cell("1"),)), ("three", (Cell("3"),))),
            names=("", "one", "three"),
        ),
    },
    ("a note", LONG),
)
