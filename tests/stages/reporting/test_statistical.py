"""The phrase-based system among the rows of a report, and a report of a machine without it."""

import csv
import json
from pathlib import Path

import pytest

from stages.scoring.sentence_files import write_counts
from tests.helpers.report_study import (
    SOURCE,
    TARGET,
    TITLES,
    counts,
    make,
    metrics,
    record,
    rows_of,
    rows_of_counts,
    write,
)
from tests.stages.reporting.conftest import draw_empty, write_study

WITH_SMT = TITLES | {"smt": "Phrase-based"}
RECIPE = {"program": "sil-thot 3.5.3", "unknown_words": "copied"}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a system of one run, no learning curve and no attention, the best links and the highest BLEU."""
    study = write_study(tmp_path_factory.mktemp("smt"))
    run = study / "forward-bpe"
    unlike = dict.fromkeys(("parameters", "train_tokens_per_second", "perplexity", "perplexity_zh-en", "saer", "rot"))
    measured = metrics(90.0, 1.5, 0) | unlike | {"align_precision": 99.0, "align_recall": 98.0}
    tests = {name: measured for name in ("test", "test2")}
    scores = {"variant": "smt", "seed": None, "metrics": measured, "tests": tests, "dev": measured}
    write(run / "scores/smt/scores.json", json.dumps(scores | {"transform": None, "recipe": RECIPE}))
    for name in ("test", "test2", "gold"):
        rows = rows_of_counts(["aer"], 1) if name == "gold" else counts(name, 1, attends=False)
        write_counts(run / f"scores/smt/{name}.csv", rows, len(SOURCE))
    lines = [
        json.loads(record(*pair, attends=False)) | {"positional": None} for pair in zip(SOURCE, TARGET, strict=True)
    ]
    for file in ("gold.forced.jsonl", "test.jsonl", "test2.jsonl"):
        write(run / f"translations/smt/{file}", "".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        draw_empty(patch)
        return make(study, WITH_SMT)


@pytest.mark.slow
def test_one_run_stands_for_all_seeds(out: Path) -> None:
    document = json.loads((out / "metrics.json").read_text())
    assert list(document["systems"]) == list(WITH_SMT)
    found = document["systems"]["smt"]
    assert list(found["seeds"]) == ["1"] and found["mean"]["bleu"] == 90 and found["sd"]["bleu"] is None
    assert document["recipe"]["smt"] == RECIPE
    assert "rule" in document["recipe"]  # what the trained systems share is still said once
    assert rows_of(out)["Phrase-based"]["BLEU test"] == "**90.00**"
    compared = json.loads((out / "comparisons.json").read_text())["sets"]
    assert compared["test"]["bleu"]["smt"]["baseline"] is not None


@pytest.mark.slow
def test_its_word_links_compete_with_no_attention(out: Path) -> None:
    links = {"AER": "1.50", "align precision": "99.00", "align recall": "98.00", "SAER": "–", "ROT": "–"}
    assert {heading: rows_of(out)["Phrase-based"][heading] for heading in links} == links
    assert json.loads((out / "summary.json").read_text())["best"]["aer"] > 1.5
    assert json.loads((out / "comparisons.json").read_text())["sets"]["gold"]["aer"]["smt"] is None


@pytest.mark.slow
def test_of_no_table_is_it_the_best_by_its_word_links(out: Path) -> None:
    """In all forms of a table: the best of a column is another system, or nobody where no other has a value."""
    cells = [cell for path in (out / "tables").glob("*.csv") for cell in csv.DictReader(path.open()) if "best" in cell]
    best = {(cell["variant"], cell["column"]) for cell in cells if cell["best"]}
    assert ("smt", "BLEU") in best
    assert not {("smt", name) for name in ("AER", "precision", "recall", "SAER", "ROT", "eos aligned")} & best
    (row,) = (line for line in (out / "tables/alignment.md").read_text().splitlines() if "Phrase-based" in line)
    assert "**90.00**" in row and "99.00" in row and "**99.00**" not in row and "**1.50**" not in row
    (row,) = (line for line in (out / "latex/alignment.tex").read_text().splitlines() if "Phrase-based" in line)
    assert r"\textbf{90.00}" in row and r"\textbf{99.00}" not in row and r"\textbf{1.50}" not in row


@pytest.mark.slow
def test_it_has_no_learning_curve(out: Path) -> None:
    rows = list(csv.DictReader((out / "learning_curves.csv").open()))
    assert {row["variant"] for row in rows} == set(TITLES)


@pytest.mark.slow
@pytest.mark.usefixtures("empty_figures")
def test_where_it_is_left_out_the_report_says_why(study: Path) -> None:
    write(study / "forward-bpe/scores/smt/left_out.json", json.dumps({"why": "no wheel for this machine"}))
    out = make(study, WITH_SMT)
    document = json.loads((out / "metrics.json").read_text())
    assert list(document["systems"]) == list(TITLES)
    assert document["recipe"]["smt"] == "left out: no wheel for this machine"
    assert "- smt: left out: no wheel for this machine" in (out / "tables/main.md").read_text()
