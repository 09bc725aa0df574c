"""A table from a data frame: what is best, what is marked, what is missing."""

import pandas as pd
import pytest

from stages.reporting.ranking import CANDIDATES, ENSEMBLE, LONGER
from stages.reporting.tables.markdown import markdown
from stages.reporting.tables.table import Cell, Column, build, percent, signed

TWO = [Column("up", "Up", "high", "{:.1f}".format), Column("down", "Down", "low", "{:.1f}".format)]


def frame_of(up: list[float | None], down: list[float | None]) -> pd.DataFrame:
    none = [None] * len(up)
    titles = [f"s{i}" for i in range(len(up))]
    frame = pd.DataFrame({"title": titles, "up": up, "up_sd": none, "down": down, "down_sd": none})
    return frame.astype(dict.fromkeys(("up", "up_sd", "down", "down_sd"), float))


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [(-0.004, 2, "0.00"), (0.004, 2, "0.00"), (0.0, 2, "0.00"), (-0.004, 3, "-0.004"), (1.236, 2, "+1.24")],
)
def test_what_rounds_to_0_has_no_sign(value: float, decimals: int, written: str) -> None:
    assert signed(value, decimals) == written


@pytest.mark.parametrize(
    ("up", "down", "best"),
    [
        ([1.0, 3.0, 2.0], [1.0, 3.0, 2.0], [(1, 0), (0, 1)]),
        ([3.01, 3.04, 2.0], [9.0, 9.0, 9.0], [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)]),
        ([None, 3.0, 2.0], [None, None, None], [(1, 0)]),
        ([None, 3.0, None], [1.0, None, 2.0], [(0, 1)]),
    ],
)
def test_best_is_marked_as_it_is_written(up: list, down: list, best: list[tuple[int, int]]) -> None:
    rows = build(frame_of(up, down), TWO, {}).rows
    marked = {(r, c) for r, (_, cells) in enumerate(rows) for c, cell in enumerate(cells) if cell.best}
    assert marked == set(best)


def test_what_does_not_compete_is_not_the_best_even_if_it_looks_equal() -> None:
    """A word aligner's links, with the lowest AER, with one as low as attention's, and beside one system alone."""
    column = Column("value", "AER", "low", "{:.1f}".format, shows="aer")
    for values, best in (([5.0, 6.0, 1.0], [0]), ([5.0, 6.0, 5.0], [0]), ([5.0, None, 1.0], [])):
        frame = pd.DataFrame({"title": list("abc"), "value": values, "value_sd": None}, index=["x", "y", "smt"])
        rows = build(frame.astype({"value_sd": float}), [column], {}).rows
        assert [k for k, (_, (cell,)) in enumerate(rows) if cell.best] == best


def test_marks_stand_behind_the_value_and_do_not_compete() -> None:
    table = build(frame_of([2.0, 1.0], [2.0, 3.0]), TWO, {(0, "up"): "‡⋆", (1, "down"): "‡"})
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown(table).splitlines()[2:]]
    assert [line[1:] for line in lines] == [["**2.0**‡⋆", "**2.0**"], ["1.0", "3.0‡"]]


def test_missing_value_is_a_dash() -> None:
    _, cells = build(frame_of([None, 1.0], [2.0, 3.0]), TWO, {}).rows[0]
    assert cells == (Cell("–"), Cell("2.0", True, number=2.0))


def test_markdown_is_a_table_whatever_the_title() -> None:
    frame = frame_of([1.0], [2.0]).assign(title=["a|b*<c>"])
    heading, rule, row = markdown(build(frame, TWO, {})).splitlines()
    assert heading.split() == ["|", "System", "|", "Up", "↑", "|", "Down", "↓", "|"]
    assert rule.count("|") == heading.count("|") == 4
    assert r"a\|b\*\<c\>" in row


@pytest.mark.parametrize("wholly", [LONGER, ENSEMBLE])
def test_a_value_that_does_not_compare_is_never_bold(wholly):
    """Of systems that were trained for longer and of ensembles none, of those with candidates the perplexity."""
    frame = pd.DataFrame(
        {
            "title": ["plain", wholly, "candidates", "other"],
            "apart": ["", wholly, CANDIDATES, ""],
            **{"bleu": [20.0, 30.0, 25.0, 19.0], "bleu_sd": [None] * 4},
            **{"dev.perplexity": [9.0, 5.0, 2.0, 9.5], "dev.perplexity_sd": [None] * 4},
        },
        index=["a", "b", "c", "d"],
    )
    columns = [Column("bleu", "BLEU", "high", percent), Column("dev.perplexity", "perplexity", "low", percent)]
    bold = [[cell.best for cell in cells] for _, cells in build(frame, columns, {}).rows]
    assert bold == [[False, True], [False, False], [True, False], [False, False]]
    everything = build(frame.drop(columns="apart"), columns, {})
    assert [[cell.best for cell in cells] for _, cells in everything.rows] == [
        [False, False],
        [True, False],
        [False, True],
        [False, False],
    ]
