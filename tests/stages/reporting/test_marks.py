"""Marks of significance, from the comparisons to the numbers that they stand behind."""

from typing import Any

from stages.reporting.marks import marks_of, marks_record
from stages.reporting.tables.main_table import main_marks


def entry(marks: str) -> dict[str, Any]:
    return {"baseline": None, "rivals": {}, "marks": marks}


SETS = {
    "first": {"bleu": {"sa_nmt": entry("‡⋆"), "ta_nmt": entry("‡"), "none": None}, "rot": {"sa_nmt": None}},
    "gold": {"aer": {"sa_nmt": entry("‡")}},
    "second": {"bleu": {"sa_nmt": entry("‡"), "ta_nmt": entry("")}, "rot": {"sa_nmt": None}},
}
RECORD = marks_record({"settings": {"baseline": "rnnsearch_star"}, "left_out": [], "sets": SETS})


def test_metrics_json_keeps_them_and_the_baseline() -> None:
    assert RECORD == {
        "baseline": "rnnsearch_star",
        "sets": {
            "first": {"bleu": {"sa_nmt": "‡⋆", "ta_nmt": "‡"}, "rot": {}},
            "gold": {"aer": {"sa_nmt": "‡"}},
            "second": {"bleu": {"sa_nmt": "‡"}, "rot": {}},
        },
    }


def test_an_average_has_the_marks_of_every_test_set() -> None:
    assert {place: marks for place, marks in marks_of(RECORD).items() if marks} == {
        ("sa_nmt", "tests.first.bleu"): "‡⋆",
        ("ta_nmt", "tests.first.bleu"): "‡",
        ("sa_nmt", "tests.second.bleu"): "‡",
        ("sa_nmt", "tests.average.bleu"): "‡",
        ("sa_nmt", "aer"): "‡",
    }


def test_the_main_table_has_those_of_the_first_test_set_under_their_own_names() -> None:
    document = {"marks": RECORD, "recipe": {"data": {"tests": ["first", "second"]}}}
    assert {place: marks for place, marks in main_marks(document).items() if marks} == {
        ("sa_nmt", "bleu"): "‡⋆",
        ("ta_nmt", "bleu"): "‡",
        ("sa_nmt", "bleu.second"): "‡",
        ("sa_nmt", "bleu.average"): "‡",
        ("sa_nmt", "aer"): "‡",
    }
