"""Stage `check`: when systems are built anew, and when what was found of them still holds."""

from pathlib import Path

import pytest
import yaml

from stages import check
from stages.training import check as of_models
from tests.helpers import tiny

OUT = Path("work") / "checked"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """How often systems were built; a study in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in (*check.CODE, "work"):
        Path(name).mkdir()
    Path("stages/one.py").write_text("ONE = 1\n")
    times = []
    monkeypatch.setattr(of_models, "check_models", times.append)
    return times


def test_systems_are_counted(built, capsys):
    run()
    run(systems=["rnnsearch_star"])
    said = capsys.readouterr().out.splitlines()
    assert said == ["checking that the 2 systems can be built", "checking that the system can be built"]


def settings():
    params, rows = tiny.params(), ["rnnsearch_star", "ba_nmt"]
    few = {"systems": rows, "fine_tuned": {}, "also_reverse": []}
    few["studies"] = {name: study | few for name, study in params["studies"].items()}
    return params | few | {"variants": {name: {"arch": name} for name in rows}}


def run(**changes):
    """The stage, with these sections in the place of the study's."""
    Path("params.yaml").write_text(yaml.safe_dump(settings() | changes, sort_keys=False))
    check.check(OUT)


def test_what_concerns_no_model_builds_none(built):
    run()
    assert len(built) == 1
    run()
    run(titles={"ba_nmt": "Another title"})
    assert len(built) == 1 and OUT.read_text().startswith("params.yaml is in order\nthese systems can be built: ")


@pytest.mark.parametrize("edit", ["model", "training", "sizes", "systems", "code", "output"])
def test_what_concerns_a_model_builds_them_again(built, edit):
    run()
    params, changes, name = settings(), {}, "ba_nmt"
    if edit in ("model", "training"):
        params["variants"][name] |= {"input_feeding": True} if edit == "model" else {"training": {"lr": 0.01}}
        changes = {"variants": params["variants"]}
    elif edit == "sizes":
        params["corpora"][params["corpus"]]["model"]["init_range"] = 0.123
        changes = {"corpora": params["corpora"]}
    elif edit == "systems":
        changes = {"systems": ["rnnsearch_star"]}
    elif edit == "code":
        Path("stages/one.py").write_text("ONE = 2\n")
    else:
        OUT.unlink()
    run(**changes)
    assert len(built) == 2


def test_a_refusal_is_not_forgotten(built, monkeypatch):
    def refuse(params):
        raise ValueError("it cannot be built")

    run()
    Path("stages/one.py").write_text("ONE = 2\n")
    monkeypatch.setattr(of_models, "check_models", refuse)
    for _ in range(2):
        with pytest.raises(ValueError, match="it cannot be built"):
            run()
