"""Measures that were taken elsewhere: what a report makes of them, and what it refuses."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.reporting.given_metrics import read_given
from stages.scoring.inputs import read_text
from stages.statistics.resampling import values
from tests.helpers.report_study import TITLES, make, rows_of, write

pytestmark = pytest.mark.usefixtures("empty_figures")

SETS, SEEDS = ("test", "test2"), (1, 2)
SCORES = {"star": [0.75, 0.5], "plain": [0.25, 0.125]}
"""Of the two sentences; the second seed has half of each, the second set a quarter."""


def lines(systems=("star", "plain"), signature="tool 1.0, weights", better="higher") -> list[str]:
    found = [f"# signature: {signature}", f"# better: {better}", "system,seed,set,score"]
    for name in systems:
        for seed in SEEDS:
            for k, test in enumerate(SETS):
                found += [f"{name},{seed},{test},{score / seed / 4**k}" for score in SCORES[name]]
    return found


def given(study: Path, content: list[str], name: str = "comet") -> Path:
    path = study / "metrics" / f"{name}.csv"
    write(path, "\n".join(content) + "\n")
    return path


@pytest.mark.slow
def test_it_is_a_measure_like_any_other(study: Path):
    given(study, lines())
    given(study, lines(["star"], "other 2.0", "lower"), "edits")
    out = make(study)
    document = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    star = document["systems"]["star"]
    assert star["seeds"]["1"]["comet"] == star["seeds"]["1"]["tests"]["test"]["comet"] == 0.625
    assert star["seeds"]["2"]["tests"]["test2"]["comet"] == 0.625 / 8
    assert star["mean"]["tests"]["average"]["comet"] == pytest.approx(0.625 * (1 + 1 / 4) * (1 + 1 / 2) / 4)
    assert star["sd"]["comet"] == pytest.approx(np.std([0.625, 0.3125], ddof=1))
    assert document["systems"]["plain"]["mean"]["edits"] is None
    assert "tool 1.0, weights; mean over the sentences, higher is better" in (out / "tables/main.md").read_text()
    assert "other 2.0; mean over the sentences, lower is better" in (out / "tables/quality.md").read_text()
    rows = rows_of(out)
    assert rows[r"RNNsearch\*"]["comet"].strip("*") == "0.4688 ± 0.2210"
    assert rows[TITLES["plain"]]["edits"] == "–"


@pytest.mark.slow
def test_its_differences_are_tested(study: Path):
    given(study, lines())
    out = make(study)
    found = json.loads((out / "comparisons.json").read_text(encoding="utf-8"))["sets"]["test"]["comet"]
    assert found["plain"]["baseline"] is None
    against = found["star"]["baseline"]
    assert against["difference"] == pytest.approx(0.75 * (0.625 - 0.1875))
    assert against["low"] < against["difference"] < against["high"] and 0 < against["p_holm"] <= 1
    assert "+0.3281" in (out / "tables/differences.md").read_text(encoding="utf-8")
    with (out / "tables/differences.csv").open() as file:
        assert {row["measure"] for row in csv.DictReader(file)} >= {"bleu", "comet"}
    assert "chrF, TER, (TER−BLEU)/2, ROT, AER, SAER, comet" in (out / "tables/main.md").read_text(encoding="utf-8")


def test_its_value_is_the_mean_of_whatever_sentences_are_drawn(study: Path):
    given(study, lines())
    (one,) = read_given(study / "metrics", read_text(study / "corpus", "forward"), list(TITLES), SEEDS)
    runs = [[np.column_stack(list(np.broadcast_arrays(*one.columns("star", 0, "test").values())))]]
    assert values(runs, one.measure.value) == pytest.approx(np.array([0.625]))
    assert one.columns("gone", 0, "test") == {} and one.value("gone", 0, "test") is None


def test_the_phrase_based_system_has_no_seed(study: Path):
    rows = ["smt,,test,1", "smt,,test,0", "smt,,test2,1", "smt,,test2,1"]
    given(study, [*lines([])[:3], *rows])
    (one,) = read_given(study / "metrics", read_text(study / "corpus", "forward"), ["smt", "star"], SEEDS)
    assert [one.value("smt", k, "test") for k in (0, 1)] == [0.5, 0.5]


def test_without_such_files_nothing_is_read(study: Path):
    text = read_text(study / "corpus", "forward")
    assert read_given(None, text, [], []) == read_given(study / "metrics", text, [], []) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1:], r"comet.csv, line 1: it does not state its signature; write `# signature: …`"),
        (lambda rows: ["# signature: ", *rows[1:]], "line 1: it does not state its signature"),
        (lambda rows: [rows[0], *rows[2:]], "line 2: it does not state its better"),
        (lambda rows: [rows[0], "# better: more", *rows[2:]], "line 2: 'more' is no way; write `# better: higher`"),
        (lambda rows: [*rows[:2], *rows[3:]], "line 3: the columns are star, 1, test, 0.75; write `system,seed,set"),
        (lambda rows: rows[:3], "it has no scores; write a line a sentence"),
        (lambda rows: [*rows[:3], "star,1,test", *rows[4:]], "line 4: 3 columns in the place of 4"),
        (lambda rows: [*rows[:3], "sun,1,test,1", *rows[4:]], r"line 4: 'sun' is no system of this study \(they are: "),
        (lambda rows: [*rows[:3], "star,3,test,1", *rows[4:]], r"line 4: star has no seed '3' .*\(there are: 1, 2\)"),
        (lambda rows: [*rows[:3], "star,1,dev,1", *rows[4:]], r"line 4: 'dev' is no test set \(there are: test, test2"),
        (lambda rows: [*rows[:3], "star,1,test,nan", *rows[4:]], "line 4: 'nan' is no score; score the sentence again"),
        (lambda rows: [*rows[:3], "star,1,test,inf", *rows[4:]], "line 4: 'inf' is no score"),
        (lambda rows: [*rows[:3], "star,1,test,", *rows[4:]], "line 4: '' is no score"),
        (lambda rows: [*rows[:3], *rows[4:]], "star has 1 scores of seed 1 on test, which has 2 sentences .*test.en"),
        (lambda rows: [*rows, "plain,2,test2,1"], "plain has 3 scores of seed 2 on test2"),
        (lambda rows: [row for row in rows if "star,2" not in row], "star has no scores of seed 2 on test; add them"),
        (lambda rows: [row for row in rows if "test2" not in row], "star has no scores of seed 1 on test2"),
    ],
)
def test_a_file_that_does_not_fit_is_one_clear_error(study: Path, change, message: str):
    given(study, change(lines()))
    with pytest.raises(InputError, match=message):
        read_given(study / "metrics", read_text(study / "corpus", "forward"), list(TITLES), SEEDS)


@pytest.mark.parametrize(
    "name", ["bleu", "ter", "COMET", "2020", "a-b", "parameters", "title", "seeds", "bleu_sd", "aer_floor", "tests"]
)
def test_its_name_is_no_other_measures(study: Path, name: str):
    given(study, lines(), name)
    with pytest.raises(InputError, match=f"'{name}' cannot name a measure; take another one"):
        make(study)
