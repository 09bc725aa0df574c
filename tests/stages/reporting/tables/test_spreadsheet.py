"""A CSV file of a report is text and numbers for a spreadsheet too, and no formula."""

import csv
from decimal import Decimal

import pandas as pd
import pytest

from stages.reporting.tables.table import ReportTable
from stages.reporting.tables.table_files import harmless, write_csv


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "-inf\n", "+nan", "-inf", "+1_0"]
)
def test_text_that_begins_like_a_formula(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "value", [-1.5, Decimal("-1.5"), None, "-1.5", "+2", "-1e-8", "-12.25", "BA-NMT", "'=1", "", "−0.5", True]
)
def test_numbers_and_other_text_are_left_alone(value):
    assert harmless(value) is value


def test_a_title_is_no_formula_in_the_file(tmp_path):
    records = pd.DataFrame({"variant": ["a"], "title": ['=HYPERLINK("x")'], "bleu": [-1.25], "aer": [None], "n": [3]})
    write_csv(tmp_path / "main.csv", ReportTable("main", "", "", "", {}, (), records))
    with open(tmp_path / "main.csv", encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1] == ["a", '\'=HYPERLINK("x")', "-1.25", "", "3"]


def test_the_numbers_of_a_file_are_as_pandas_writes_them(tmp_path):
    frame = pd.DataFrame(
        {"f": [0.1, float("nan"), 1e-30, 12345678.9], "i": [1, 2, 3, 4], "b": [True, False, None, None]}
    )
    frame["gaps"] = pd.Series([1, None, 2, None], dtype=object)
    write_csv(tmp_path / "main.csv", ReportTable("main", "", "", "", {}, (), frame))
    assert (tmp_path / "main.csv").read_text() == frame.to_csv(index=False, lineterminator="\n")
