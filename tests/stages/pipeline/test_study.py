"""STUDY= and RELEASED=1: what becomes of params.yaml, and what is said."""

import os
from itertools import product

import pytest
import yaml

from stages.files.errors import InputError
from stages.pipeline.lock import RUNS, only_run
from stages.pipeline.released import in_git, smt_in_git
from stages.pipeline.study import choose, look_at
from stages.releasing.results_file import RELEASED, read_about, results_path
from stages.reporting.claims.plans import read_plans
from tests.helpers import committed
from tests.helpers.paths import ROOT

STUDY = "direction: forward, segmentation: bpe, seeds: [1, 2]"
STUDY += ", also_reverse: [], read_outs: [], training_sizes: [], released_smt: []"
PARAMS = f"""studies:
  mine: &mine
    {{study: mine, corpus: text, run: work/text/forward-bpe, {STUDY}, smt: [smt],
     systems: [a, b, c], fine_tuned: {{e: d, d: a, f: c}}, decoded: {{}}, released: {{}}}}
  other: &other
    {{study: other, corpus: else, run: work/else/forward-bpe, {STUDY}, smt: [],
     systems: [a], fine_tuned: {{}}, decoded: {{}}, released: {{}}}}
<<: *other
"""


@pytest.fixture
def said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text(PARAMS)
    (tmp_path / ".dvc").mkdir()
    return []


def release(*systems, seeds=(1, 2)):
    for system in systems:
        for seed in seeds:
            path = results_path("text", "forward", "bpe", system, seed)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def content(folder):
    return yaml.safe_load((folder / "params.yaml").read_text())


def test_a_study_is_chosen_and_said_once(tmp_path, said):
    choose("mine", "", said.append)
    choose("mine", "", said.append)
    assert content(tmp_path)["study"] == "mine"
    assert said == ["params.yaml: chooses mine now, in the place of other"]


def test_nothing_is_asked_and_nothing_changes(tmp_path, said):
    choose("", "", said.append)
    assert (tmp_path / "params.yaml").read_text() == PARAMS and said == []


def test_released_systems_are_those_with_results_of_all_seeds(tmp_path, said):
    release("a", "b", "d", "e", "f")
    release("c", seeds=[1])
    choose("mine", "1", said.append)
    asked = content(tmp_path)
    assert asked["released"] == {"a": None, "b": None, "d": "a", "e": "d"} and asked["systems"] == []
    assert said[1:] == [
        "params.yaml: without c, f, which have no results in reports/released",
        "params.yaml: 4 systems are taken from reports/released and not trained (RELEASED=1); "
        "`make repro STUDY=mine` trains them",
    ]
    said.clear()
    choose("", "", said.append)  # a plain `make repro` goes on with it, and says so
    assert content(tmp_path) == asked and len(said) == 1
    choose("mine", None, said.append)  # as `make export STUDY=mine`, which trains nothing
    assert content(tmp_path) == asked and len(said) == 2
    choose("mine", "", said.append)
    assert said[-1] == "params.yaml: systems are trained again: its lines of RELEASED=1 are gone"
    choose("mine", "1", said.append)
    choose("other", None, said.append)
    assert (tmp_path / "params.yaml").read_text() == PARAMS
    choose("mine", "", said.append)
    choose("other", "", said.append)
    assert (tmp_path / "params.yaml").read_text() == PARAMS


def test_smt_is_taken_if_it_has_results_and_made_if_it_has_none(tmp_path, said):
    release("a")
    choose("mine", "1", said.append)
    assert (content(tmp_path)["smt"], content(tmp_path)["released_smt"]) == (["smt"], [])
    assert "1 system is taken from reports/released" in said[-1] and said[-1].endswith("STUDY=mine` trains it")
    release("smt", seeds=[None])
    said.clear()
    choose("mine", "1", said.append)
    assert (content(tmp_path)["smt"], content(tmp_path)["released_smt"]) == ([], ["smt"])
    assert "2 systems are taken from reports/released" in said[-1]
    choose("mine", "", said.append)
    assert (content(tmp_path)["smt"], content(tmp_path)["released_smt"]) == (["smt"], [])


def test_a_system_of_ones_own_stands_beside_released_ones(tmp_path, said):
    release("a", "b")
    (tmp_path / "params.yaml").write_text(f"{PARAMS.replace('*other', '*mine')}systems: [b, x]\n")
    choose("", "1", said.append)
    asked = content(tmp_path)
    assert (asked["systems"], asked["released"], asked["fine_tuned"]) == (["b", "x"], {"a": None}, {})


@pytest.mark.parametrize(
    ("study", "released", "message"),
    [
        ("nobody", "", "there is no study 'nobody'"),
        ("other", "1", "reports/released has no results of other; it has those of: mine"),
        ("", "yes", r"RELEASED is 1 or is left out \(is 'yes'\)"),
    ],
)
def test_a_refusal_leaves_the_file_as_it_was(tmp_path, said, study, released, message):
    release("a")
    with pytest.raises(InputError, match=message):
        choose(study, released, said.append)
    assert (tmp_path / "params.yaml").read_text() == PARAMS and said == []


@pytest.mark.parametrize(
    ("there", "edited", "message"),
    [
        ("<<: *mine", "<<: *mine\nsystems: 5", r"the study\.systems: .*list.* \(is 5\)"),
        ("<<: *mine", "<<: *mine\nsystems: [[a]]", r"the study\.systems\.0: .*string"),
        ("<<: *mine", "<<: *mine\nseeds: null", r"the study\.seeds: .*list.* \(is null\)"),
        ("<<: *mine", "<<: *mine\nstudy: [a]", r"the study\.study: .*string"),
        ("<<: *mine", "study: mine", r"the study\.direction: missing key"),
        ("direction: forward, ", "", r"studies\.mine\.direction: missing key; add it"),
        (", systems: [a], ", ", ", r"studies\.other\.systems: missing key; add it"),
    ],
)
def test_a_half_written_study_is_one_sentence(tmp_path, said, there, edited, message):
    release("a")
    params = PARAMS.replace("*other", "*mine").replace(",\n     ", ", ")
    assert there in params
    (tmp_path / "params.yaml").write_text(params.replace(there, edited))
    with pytest.raises(InputError, match=rf"^params\.yaml: {message}"):
        choose("", "1", said.append)
    assert (tmp_path / "params.yaml").read_text() == params.replace(there, edited) and said == []


@pytest.mark.parametrize(
    ("by_hand", "message"),
    [
        ("seeds: [1, 9]", r"no system of mine with all of seeds: \[1, 9\] \(none with \[9\]\); change them"),
        ("seeds: [9]\nsystems: [a]", r"all of seeds: \[9\] \(none with \[9\]\); change them"),
        ("seeds: [2, 3]", r"all of seeds: \[2, 3\]; change them"),
        ("systems: [a]\nfine_tuned: {d: a}", r"all systems of mine with .*, in systems and fine_tuned; take one off"),
    ],
)
def test_what_stands_by_hand_in_the_place_of_all_results_is_named(tmp_path, said, by_hand, message):
    release("a", "d")
    release("b", seeds=[3])
    text = f"{PARAMS.replace('*other', '*mine')}{by_hand}\n"
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(InputError, match=rf"^params\.yaml: .*{message}"):
        choose("", "1", said.append)
    assert (tmp_path / "params.yaml").read_text() == text and said == []


def test_nothing_is_written_beside_a_lock_file_that_cannot_be_read(tmp_path, said):
    (tmp_path / "dvc.lock").write_text("<<<<<<< a conflict of git\n")
    with pytest.raises(InputError, match=r"dvc.lock is no lock file of DVC's"):
        choose("mine", "", said.append)
    assert (tmp_path / "params.yaml").read_text() == PARAMS and said == []
    assert (tmp_path / "dvc.lock").read_text() == "<<<<<<< a conflict of git\n"


def test_who_only_looks_may_do_so_beside_a_run_but_not_choose_another_study(tmp_path, said):
    (tmp_path / "dvc.lock").write_text("half of a file\n")
    with only_run(RUNS, said.append):
        assert not look_at("", "", said.append) and not look_at("other", "", said.append)
        with pytest.raises(InputError, match="another run is at work"):
            look_at("mine", "", said.append)
    assert len(said) == 2 and said[0].startswith(f"a run is at work in this folder (pid {os.getpid()}, since 20")
    assert (tmp_path / "params.yaml").read_text() == PARAMS
    (tmp_path / "dvc.lock").unlink()
    assert look_at("mine", "", said.append) and content(tmp_path)["study"] == "mine"


@pytest.mark.slow
def test_all_results_in_git_are_those_of_a_study_and_of_its_bases(monkeypatch):
    """Or those of a plan for it, which may not be whole yet."""
    monkeypatch.chdir(ROOT)
    found = set()
    for block in committed.params()["studies"].values():
        place = block["corpus"], block["direction"], block["segmentation"]
        found |= {results_path(*place, name, None) for name in smt_in_git(block)}
        for (system, base), seed in product(in_git(block).items(), block["seeds"]):
            path = results_path(*place, system, seed)
            assert read_about(path)["initialised_from"] == base
            found.add(path)
        for plan in (plan for plan in read_plans().values() if block["study"] in plan.studies):
            planned = (results_path(*place, system, seed) for system, seed in product(plan.systems, plan.seeds))
            found |= {path for path in planned if path.exists()}
    there = RELEASED.rglob("*.tar.xz")
    assert found == {path for path in there if not path.name.endswith(".model.tar.xz")} != set()
