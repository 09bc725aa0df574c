"""A system that shares another's trained models, and has no training of its own, in a report."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.reporting.decoded import chosen_on_dev, other_decoding
from stages.reporting.ranking import ENSEMBLE
from stages.reporting.tables.main_table import main_page
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


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({}, "as star"),
        ({"gnmt_length_penalty": [0.2]}, "ranks what its beam has finished by GNMT's penalty of length (α 0.2, in the "
         "place of the length penalty)"),
        ({"gnmt_length_penalty": [0.0, 0.2, 1.0], "coverage_penalty": [0.0, 0.4]}, "ranks what its beam has finished "
         "by GNMT's penalty of length (α 0, 0.2 or 1, in the place of the length penalty, which 0 leaves) and of "
         "coverage (β 0 or 0.4), whichever dev's BLEU is best with"),
        ({"no_repeat_ngram": 3}, "has no 3 pieces in a row twice"),
        ({"coverage_penalty": [0.5], "ensemble": 2}, "ranks what its beam has finished by GNMT's penalty of coverage "
         "(β 0.5) and averages the probabilities of 2 models, those of its seed and the next"),
    ],
)  # fmt: skip
def test_says_what_it_does_otherwise(own: dict[str, Any], said: str):
    found = other_decoding({"shared": DecodingControl(**own)}, {"shared": "star"})
    assert found == {"other_decoding": "shared: " + (f"as star, but {said}" if own else said)}
    assert other_decoding({}, {}) == {}


PENALTIES = {"gnmt_length_penalty": [0.0, 0.2], "coverage_penalty": [0.0, 0.4]}


def put_control(folder: Path, alpha: float, beta: float) -> None:
    """As the stage evaluate writes it."""
    tried = [{"alpha": alpha, "beta": beta, "bleu": 30.0}]
    write(
        folder / "decoding.json",
        json.dumps({"alpha": alpha, "beta": beta, "no_repeat_ngram": 0, "models": 1, "tried": tried}),
    )


def test_says_what_dev_chose(shared: Path):
    run = shared / "forward-bpe"
    put_control(run / "translations/shared-1", 0.2, 0.0)
    put_control(run / "translations/shared-2", 0.0, 0.4)
    found = results(shared, **asked(**PENALTIES))
    tables = found_in(found)
    assert "chosen on dev: shared: α 0.2, β 0 (seed 1), α 0, β 0.4 (seed 2)" in tables["main"].notes
    other = [
        name
        for name, of in tables.items()
        if any(note.startswith("other decoding: shared: as star") for note in of.notes)
    ]
    assert other == ["main", "quality", "eos"]
    page = main_page(tables["main"], found.document["recipe"])
    assert page.count("- other decoding: ") == page.count("- chosen on dev: ") == 1


def test_says_only_what_dev_had_a_choice_of(shared: Path):
    put_control(shared / "forward-bpe/translations/shared-1", 0.2, 0.4)
    run = RunDirectory(shared / "forward-bpe")

    def said(**own: Any) -> dict[str, str]:
        return chosen_on_dev(run, {"shared": DecodingControl(**own)}, (1, 2))

    assert said(gnmt_length_penalty=[0.2], coverage_penalty=[0.0, 0.4]) == {"chosen_on_dev": "shared: β 0.4 (seed 1)"}
    assert said(coverage_penalty=[0.4]) == said(no_repeat_ngram=3) == {}
    (run.translations("shared", 1) / "decoding.json").write_text("{}")
    with pytest.raises(InputError, match=r"shared-1/decoding\.json lacks alpha, beta"):
        said(**PENALTIES)


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
