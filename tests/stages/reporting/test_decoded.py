"""A system that shares another's trained models, and has no training of its own, in a report."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stages.reporting.ranking import ENSEMBLE
from stages.settings.training import DecodingControl
from tests.helpers.report_study import TITLES, make, results, write
from tests.helpers.table_study import found_in, grid

SHARED = TITLES | {"shared": "RNNsearch*, other search"}


@pytest.fixture
def shared(study: Path) -> Path:
    """The study with runs of `shared`, as the stage `share` and those behind it leave them."""
    run = study / "forward-bpe"
    for seed in (1, 2):
        for folder in ("models/{}/{}", "translations/{}-{}", "scores/{}-{}"):
            shutil.copytree(run / folder.format("star", seed), run / folder.format("shared", seed))
        path = run / f"scores/shared-{seed}/scores.json"
        content = json.loads(path.read_text("utf-8"))
        content["metrics"] |= dict.fromkeys(("wall_seconds", "train_tokens_per_second"))
        write(path, json.dumps(content))
    return study


def asked(**own: Any) -> dict[str, Any]:
    """Of a `StudySpec`. own: what `shared` does otherwise."""
    return {"titles": SHARED, "decoded": {"shared": DecodingControl(**own)}, "fine_tuned": {"shared": "star"}}


def test_it_has_no_epochs_of_its_own(shared: Path):
    cost = found_in(results(shared, **asked(no_repeat_ngram=3)))["cost"]
    rows = grid(cost.parts[""])
    own = [rows["RNNsearch*, other search"][heading].text for heading in ("wall time", "epochs", "best epoch")]
    assert own == ["–", "–", "–"] and rows["RNNsearch*"]["epochs"].text == "3 ± 0"
    assert any(note.endswith("a system that shares another's models has none") for note in cost.notes)


def test_its_trainings_are_its_bases(shared: Path):
    assert results(shared, **asked(no_repeat_ngram=3)).document["hours"] == results(shared).document["hours"]


@pytest.mark.usefixtures("empty_figures")
def test_it_has_no_learning_curve(shared: Path):
    out = make(shared, **asked(no_repeat_ngram=3))
    curves = list(csv.DictReader((out / "learning_curves.csv").open(encoding="utf-8")))
    assert {row["variant"] for row in curves} == {*TITLES}


def test_its_formula_has_how_it_decodes_among_the_options(shared: Path):
    formulas = found_in(results(shared, **asked(ensemble=2)))["formulas"]
    options = {title: cells["options"].text for title, cells in grid(formulas.parts[""]).items()}
    assert options == dict.fromkeys(TITLES.values(), "–") | {SHARED["shared"]: "ensemble 2"}


def test_an_ensemble_competes_with_no_single_model(shared: Path):
    """Its values are those of the best single one."""
    found = results(shared, apart={"shared": ENSEMBLE}, **asked(ensemble=2))
    rows = grid(found_in(found)["main"].parts[""])
    assert rows["RNNsearch*"]["chrF ↑"].number == rows[SHARED["shared"]]["chrF ↑"].number
    bold = {title: any(cell.best for cell in cells.values()) for title, cells in rows.items()}
    assert bold["RNNsearch*"] and not bold[SHARED["shared"]]
    assert found.document["recipe"]["differences"].endswith("; ensembles have no mark")
