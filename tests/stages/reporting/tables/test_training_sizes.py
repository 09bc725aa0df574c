"""Two training sizes side by side: what is compared, what is refused, and the files of the stage."""

import copy
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from stages import training_sizes as stage
from stages.files.errors import InputError
from stages.reporting.comparable import StudyMetrics
from stages.reporting.tables.table import ReportTable
from stages.reporting.tables.two_training_sizes import MARKED, NOT_MARKED, training_sizes
from tests.helpers.table_study import grid

Written = dict[str, Any]
"""What a metrics.json says."""

TITLES = {"rnnencdec": "RNNencdec", "rnnsearch_star": "RNNsearch*", "ba_nmt": "BA_NMT", "sa_nmt": "SA"}
SETS = {"test": {"zh": 3, "en": 4}, "late": {"zh": 5, "en": 6}, "gold": {"zh": 3, "en": 4}}
BLEU = {"rnnencdec": 20.0, "rnnsearch_star": 30.0, "ba_nmt": 33.0, "sa_nmt": 32.0}


def metrics(bleu: dict[str, float], pairs: int, marks: dict[str, Written] | None = None) -> Written:
    """metrics.json of systems with that average BLEU, trained on so many pairs."""
    systems = {}
    for name, value in bleu.items():
        aer = None if name == "rnnencdec" else 50.0 - value
        average = {"bleu": value, "ter_minus_bleu_half": 60.0 - value}
        mean = {"aer": aer, "perplexity": 5.0, "tests": {"average": average}}
        spread = {"aer": None, "perplexity": None, "tests": {"average": dict.fromkeys(average)}}
        systems[name] = {"title": TITLES.get(name, name), "mean": mean, "sd": spread}
    sets = {name: {"pairs": 2, "tokens": tokens} for name, tokens in SETS.items()}
    sets["train"] = {"pairs": pairs, "tokens": {"zh": pairs, "en": pairs}}
    recipe = {"bleu": "tok:none|nrefs:1", "segmentation": "bpe", "direction": "zh-en", "seeds": [1]}
    recipe |= {"training": {"adam_betas": [0.9, 0.98]}, "differences": "‡ better than rnnsearch_star"}
    recipe |= {"data": {"tests": ["test", "late"], "sets": sets}}
    return {
        "systems": systems,
        "recipe": recipe,
        "marks": {"baseline": "rnnsearch_star", "sets": marks or {"test": {}}},
    }


def small(**changes: Any) -> Written:
    """Of a study like `large`, but for training pairs, numbers and a system less."""
    document = metrics({"rnnencdec": 10.0, "rnnsearch_star": 11.0, "ba_nmt": 14.0}, 1)
    for path, value in changes.items():
        node = document["recipe"]
        *above, last = path.split("__")
        for key in above:
            node = node[key]
        node[last] = value
    return document


def large() -> Written:
    return metrics(BLEU, 2)


def of(smaller: Written, larger: Written) -> ReportTable:
    pair = ((name, document) for name, document in (("demo-small", smaller), ("demo", larger)))
    given = (StudyMetrics(name, Path(f"reports/{name}/metrics.json"), copy.deepcopy(of)) for name, of in pair)
    return training_sizes(*given)


def test_has_both_sizes_and_at_each_the_difference_to_the_baseline() -> None:
    entry = of(small(), large())
    assert list(entry.parts) == ["BLEU", "(TER−BLEU)/2", "AER", "dev perplexity"]
    table = entry.parts["BLEU"]
    assert table.headings == ("System", "BLEU, 1 pairs ↑", "Δ, 1 pairs", "BLEU, 2 pairs ↑", "Δ, 2 pairs")
    assert table.names == ("rnnencdec", "rnnsearch_star", "ba_nmt")
    cells = grid(table)
    assert [cells["BA_NMT"][heading].number for heading in table.headings[1:]] == [14.0, 3.0, 33.0, 3.0]
    assert cells["BA_NMT"]["Δ, 1 pairs"].text == "+3.00" and cells["RNNencdec"]["Δ, 1 pairs"].text == "-1.00"
    assert [cells["RNNsearch*"][heading].text for heading in ("Δ, 1 pairs", "Δ, 2 pairs")] == ["–", "–"]
    assert [title for title, row in cells.items() if row["BLEU, 1 pairs ↑"].best] == ["BA_NMT"]
    assert grid(entry.parts["AER"])["RNNencdec"]["AER, 1 pairs ↓"].text == "–"
    assert entry.mirrors == "Mi et al. (2016), Table 2"
    assert "the smaller size: study demo-small; the larger: study demo" in entry.notes
    assert not any(note.startswith("not only") for note in entry.notes)


def test_links_of_a_word_aligner_are_not_the_best_at_any_size() -> None:
    """The phrase-based system has the lowest AER and the highest BLEU of both sizes."""
    documents = [metrics({"rnnsearch_star": 30.0, "ba_nmt": 33.0, "smt": 49.0}, pairs) for pairs in (1, 2)]
    parts = of(*documents).parts
    for size in (1, 2):
        best = {
            name: [title for title, row in grid(parts[name]).items() if row[heading].best]
            for name, heading in (("AER", f"AER, {size} pairs ↓"), ("BLEU", f"BLEU, {size} pairs ↑"))
        }
        assert best == {"AER": ["BA_NMT"], "BLEU": ["smt"]}


def test_a_system_that_was_trained_for_longer_is_not_the_best_at_any_size() -> None:
    documents = [metrics({"rnnsearch_star": 30.0, "ba_nmt": 33.0, "sa_nmt": 49.0}, pairs) for pairs in (1, 2)]
    for document in documents:
        document["apart"] = {"sa_nmt": "longer"}
    rows = grid(of(*documents).parts["BLEU"])
    for size in (1, 2):
        assert [title for title, row in rows.items() if row[f"BLEU, {size} pairs ↑"].best] == ["BA_NMT"]


MARKS = {
    "test": {"bleu": {"ba_nmt": "‡⋆", "sa_nmt": "‡"}},
    "late": {"bleu": {"ba_nmt": "‡", "rnnencdec": "‡"}},
    "gold": {"aer": {"ba_nmt": "⋆"}},
}


def test_differences_are_marked_by_the_comparisons_of_their_size() -> None:
    """An average has the marks that every test set has; AER those of the gold set."""
    smaller, larger = small(), large()
    smaller["marks"]["sets"] = MARKS
    larger["marks"]["sets"] = {name: {"bleu": {"rnnencdec": "‡"}} for name in ("test", "late")}
    entry = of(smaller, larger)
    found = {
        (part, title, heading): cell.marks
        for part, table in entry.parts.items()
        for title, row in grid(table).items()
        for heading, cell in row.items()
        if cell.marks
    }
    assert found == {
        ("BLEU", "BA_NMT", "Δ, 1 pairs"): "‡",
        ("AER", "BA_NMT", "Δ, 1 pairs"): "⋆",
        ("BLEU", "RNNencdec", "Δ, 2 pairs"): "‡",
    }
    assert "marks: ‡ better than rnnsearch_star" in entry.notes
    assert MARKED in entry.notes and NOT_MARKED not in entry.notes


def test_where_nothing_is_more_than_chance_nothing_is_said_of_marks() -> None:
    assert not any("marks" in note for note in of(small(), large()).notes)


def test_comparisons_of_another_kind_mark_nothing() -> None:
    smaller = small(differences="‡ better than ba_nmt: another test")
    smaller["marks"]["sets"] = MARKS
    entry = of(smaller, large())
    assert not any(cell.marks for table in entry.parts.values() for cell in table.cells)
    assert NOT_MARKED in entry.notes and MARKED not in entry.notes
    assert not any(note.startswith("marks:") for note in entry.notes)


def test_a_size_without_the_baseline_has_no_differences() -> None:
    smaller = small()
    del smaller["systems"]["rnnsearch_star"]
    cells = grid(of(smaller, large()).parts["BLEU"])
    assert {row["Δ, 1 pairs"].text for row in cells.values()} == {"–"}
    assert all(row["Δ, 2 pairs"].number is not None for row in cells.values())


def test_a_measure_that_one_size_lacks_has_no_part() -> None:
    """Without a gold set it has no value; a report of an older version may not name it."""
    smaller = small()
    for system in smaller["systems"].values():
        system["mean"]["aer"] = None
        del system["mean"]["perplexity"], system["sd"]["perplexity"]
    assert list(of(smaller, large()).parts) == ["BLEU", "(TER−BLEU)/2"]


def test_studies_without_a_system_in_common_are_refused() -> None:
    with pytest.raises(InputError, match=r"no system in common.*take demo-small off `training_sizes` of study demo"):
        of(metrics({"other": 9.0}, 1), large())


@pytest.mark.parametrize(
    ("changes", "other"),
    [({}, []), ({"seeds": [7]}, ["seeds"]), ({"seeds": [7], "training": {"lr": 1}}, ["training, seeds"])],
)
def test_says_what_else_differs(changes: Written, other: list[str]) -> None:
    notes = of(small(**changes), large()).notes
    start = "not only the training text differs: "
    assert [note.removeprefix(start) for note in notes if note.startswith(start)] == other


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bleu": "tok:13a|nrefs:1"}, r"BLEU signature: tok:13a\|nrefs:1, tok:none\|nrefs:1"),
        ({"segmentation": "words"}, "segmentation: words, bpe"),
        ({"direction": "en-zh"}, "direction: en-zh, zh-en"),
        ({"data__tests": ["test"]}, "test sets: test; test, late"),
        ({"data__sets__late__pairs": 3}, "sentences of late: 3, 2"),
        ({"data__sets__gold__tokens": {"zh": 3, "en": 5}}, "words of gold: 3 zh and 5 en, 3 zh and 4 en"),
        ({"data__sets__train__pairs": 2}, "training pairs: 2 are not fewer than 2"),
    ],
)
def test_what_does_not_compare_is_one_clear_error(changes: Written, message: str) -> None:
    files = r"reports/demo-small/metrics\.json and reports/demo/metrics\.json do not compare: "
    with pytest.raises(InputError, match=files + message + r"\. .*take demo-small off `training_sizes` of study demo"):
        of(small(**changes), large())


def command(folder: Path, **documents: Written) -> Path:
    """Run the stage on reports of these studies; returns the folder that it writes."""
    for study, document in documents.items():
        (folder / study).mkdir()
        (folder / study / "metrics.json").write_text(json.dumps(document), encoding="utf-8")
    out = folder / "demo/training_sizes/demo_small"
    stage.compare("demo", "demo_small", folder, out)
    return out


def test_the_stage_writes_it_like_every_table(tmp_path: Path) -> None:
    out = command(tmp_path, demo=large(), demo_small=small())
    assert {path.name for path in out.iterdir()} == {f"table.{kind}" for kind in ("md", "csv", "tex")}
    assert r"\label{tab:demo-training-sizes-demo-small-1}" in (out / "table.tex").read_text(encoding="utf-8")
    assert (out / "table.md").read_text(encoding="utf-8").startswith("# Quality at two training sizes: demo\\_small")
    lines = list(csv.DictReader((out / "table.csv").open(encoding="utf-8")))
    assert {line["column"] for line in lines if line["part"] == "AER"} == {
        *("AER, 1 pairs", "AER, 2 pairs", "Δ, 1 pairs", "Δ, 2 pairs")
    }


def test_a_report_that_is_not_there_yet_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"demo_small/metrics\.json is missing: study demo_small has no report yet"):
        command(tmp_path, demo=large())


def test_a_report_of_an_older_version_is_one_clear_error(tmp_path: Path) -> None:
    older = small()
    del older["marks"]
    with pytest.raises(InputError, match=r"demo_small/metrics\.json lacks marks"):
        command(tmp_path, demo=large(), demo_small=older)
