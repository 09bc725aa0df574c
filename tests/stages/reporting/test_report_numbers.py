"""What the files of a report say: numbers, marks, footnotes."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from stages.reporting.aligners import EFLOMAL
from stages.reporting.aligners import TITLES as ALIGNERS
from stages.scoring.sentence_files import write_counts
from tests.helpers.report_study import ALIGN, SOURCE, STATISTICAL, TARGET, TITLES, make, record, rows_of, write

pytestmark = pytest.mark.usefixtures("empty_figures")


def test_metrics_document(report: Path) -> None:
    document = json.loads((report / "metrics.json").read_text(encoding="utf-8"))
    assert set(document) == {"systems", "aligners", "recipe", "marks", "apart", "claims", "hours"}
    assert document["aligners"] == STATISTICAL
    assert document["recipe"]["aligners"]["program"] == "eflomal 2.0.0"
    star, plain = document["systems"]["star"], document["systems"]["plain"]
    assert set(star) == {"title", "seeds", "mean", "sd"}
    assert (star["title"], list(star["seeds"])) == ("RNNsearch*", ["1", "2"])
    assert star["seeds"]["2"]["bleu"] == star["seeds"]["2"]["tests"]["test"]["bleu"] == 32.0
    assert star["seeds"]["2"]["tests"]["test2"]["bleu"] == 33.0
    assert star["seeds"]["2"]["tests"]["average"]["bleu"] == 32.5
    assert star["mean"]["tests"]["average"]["bleu"] == 32.0
    assert star["mean"]["perplexity_zh-en"] == 5.25
    assert star["mean"]["perplexity_en-zh"] == pytest.approx(9.5)
    assert plain["mean"]["perplexity_en-zh"] is None
    assert set(star["mean"]["bleu_by_length"]["1-10"]) == {"bleu", "sentences"}
    assert star["mean"]["bleu"] == 31.5
    for of in (star["mean"], star["mean"]["dev"]):  # its scores are older than this measure
        assert of["coverage_left"] is of["coverage_fertility"] is None
    assert star["sd"]["bleu"] == pytest.approx(0.5**0.5)
    assert plain["seeds"]["1"]["aer"] is plain["mean"]["aer"] is plain["sd"]["aer"] is None
    assert document["recipe"]["seeds"] == [1, 2]
    assert document["recipe"]["data"]["train_pairs"]["overlap"] == 12
    assert document["recipe"]["aer_floor"] == 7.12


@pytest.mark.slow
def test_summary_is_the_baseline_and_the_best_over_all_test_sets(report: Path, of_plain_alone: Path) -> None:
    assert json.loads((report / "summary.json").read_text(encoding="utf-8")) == {
        "baseline": {"bleu": 12.0, "aer": None},
        "best": {"bleu": 32.0, "aer": 20.0},
    }
    alone = json.loads((of_plain_alone / "summary.json").read_text(encoding="utf-8"))
    assert alone["best"] == {"bleu": 12.0, "aer": None}


def test_main_table_and_its_footnotes(report: Path) -> None:
    text = (report / "tables/main.md").read_text(encoding="utf-8")
    star = next(line for line in text.splitlines() if "RNNsearch" in line)
    cells = [cell.strip() for cell in star.strip("|").split("|")]
    assert cells[0] == r"RNNsearch\*"
    assert "**31.50 ± 0.71**" in cells
    assert {"1.23 M", "1:02:05 ± 0:00:00", "**3 ± 0**"} < set(cells)
    for note in (r"a\|b\*c", "torch 2.13.0", "AER floor", "7.12", "tokens (zh 61,234, en 70,001)", "overlap 12"):
        assert note in text


def test_aligners_have_a_table_of_their_own_with_its_own_best(report: Path) -> None:
    rows = rows_of(report)
    assert list(rows)[len(TITLES) :] == [ALIGNERS[method] for method in EFLOMAL]
    for method in EFLOMAL:
        title = ALIGNERS[method]
        best = {"aer": min, "align_precision": max, "align_recall": max}
        values = {}
        for measure, best_of in best.items():
            value = STATISTICAL[method][measure]
            is_best = value == best_of(one[measure] for one in STATISTICAL.values())
            values[measure] = f"**{value:.2f}**" if is_best else f"{value:.2f}"
        assert rows[title] == {
            "System": title,
            "AER": values["aer"],
            "align precision": values["align_precision"],
            "align recall": values["align_recall"],
        }
    note = "- statistical alignment: program eflomal 2.0.0, text train, gold are aligned together, "
    note += "Thot: left out no Thot\n"
    assert note in (report / "tables/main.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_aligner_is_not_the_best_of_the_systems(study: Path) -> None:
    for seed in (1, 2):
        path = study / f"forward-bpe/scores/plain-{seed}/scores.json"
        scores = json.loads(path.read_text())
        scores["metrics"]["aer"] = 30.0
        write(path, json.dumps(scores))
    rows = rows_of(make(study))
    assert min(values["aer"] for values in STATISTICAL.values()) < 20
    systems = [rows[title]["AER"] for title in (r"RNNsearch\*", TITLES["plain"])]
    assert [cell.startswith("**") for cell in systems] == [True, False]


@pytest.mark.slow
def test_without_a_gold_set_the_table_has_no_aligners(study: Path) -> None:
    path = study / "wordalign/scores.json"
    scores = json.loads(path.read_text())
    none = {method: dict.fromkeys(values) for method, values in STATISTICAL.items()}
    write(path, json.dumps(scores | {"aligners": none}))
    out = make(study)
    assert list(rows_of(out)) == [r"RNNsearch\*", TITLES["plain"]]
    assert json.loads((out / "metrics.json").read_text())["aligners"] == none
    assert len(list(csv.DictReader((out / "tables/main.csv").open()))) == len(TITLES)


@pytest.mark.slow
def test_what_is_more_than_chance_is_marked_and_listed(study: Path) -> None:
    """Sixty sentences that `star` has all right and `plain` all wrong."""
    sentences = 60
    for name in ("gold", "test", "test2"):
        for language, line in (("zh", SOURCE[0]), ("en", TARGET[0]), ("ref0.en", TARGET[0])):
            write(study / f"corpus/{name}.{language}", f"{line}\n" * sentences)
    write(study / "corpus/gold.align", f"{ALIGN[0]}\n" * sentences)
    for variant, correct in (("star", 5), ("plain", 2)):
        bleu = np.tile([6, 6, correct, correct, correct - 1, 1, 6, 5, 4, 3], (sentences, 1))
        for name, rows in {"test": {"bleu": bleu}, "test2": {"bleu": bleu}, "gold": {}}.items():
            write_counts(study / f"forward-bpe/scores/{variant}-1/{name}.csv", rows, sentences)
        for file in ("gold.forced.jsonl", "test.jsonl", "test2.jsonl"):
            line = record(SOURCE[0], TARGET[0], variant == "star")
            write(study / f"forward-bpe/translations/{variant}-1/{file}", f"{line}\n" * sentences)
    out = make(study, seeds=(1,))
    compared = json.loads((out / "comparisons.json").read_text())["sets"]["test"]["bleu"]
    assert (compared["star"]["marks"], compared["plain"]["marks"]) == ("‡", "")
    assert rows_of(out)[r"RNNsearch\*"]["BLEU test"] == "**31.00**‡"
    page = (out / "tables/differences.md").read_text(encoding="utf-8")
    assert "Rivals: none" in page
    (row,) = [line for line in page.splitlines() if line.startswith(r"| RNNsearch\*")][:1]
    assert r"60 – 0, \< 0.0001" in row and "one seed: unknown" in row
    records = list(csv.DictReader((out / "tables/differences.csv").open()))
    assert {(one["set"], one["measure"], one["variant"], one["against"]) for one in records} == {
        (name, measure, "star", "plain") for name in ("test", "test2") for measure in ("bleu",)
    }


@pytest.mark.slow
def test_words_of_an_embedding_transform_are_listed(report: Path, of_plain_alone: Path) -> None:
    page = (report / "tables/transform.md").read_text(encoding="utf-8")
    assert r"| 北京" in page and r"Beijing a\|b" in page and "**Beijing**" in page
    assert not (of_plain_alone / "tables/transform.md").exists()
