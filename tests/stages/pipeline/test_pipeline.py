"""dvc.yaml: which stages there are, what they depend on, and what an edit of params.yaml reruns.

The isolation is tried in a copy of the project where one small file stands for every output, so nothing is trained.
"""

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from stages.corpora.demo import generate
from stages.files.errors import InputError
from stages.pipeline.imports import closure
from stages.settings.systems import base_of
from stages.smaller import smaller_report

from fairseq.models import ARCH_MODEL_REGISTRY

os.environ["DVC_NO_ANALYTICS"] = "1"
from dvc.dependency import ParamsDependency
from dvc.repo import Repo
from dvc.stage import PipelineStage

from tests.helpers.paths import ROOT

FULL = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
SOME = ("rnnencdec", "rnnsearch_star", "ba_nmt", "cohn_all")  # enough variants to see who is left alone
PARAMS = FULL | {
    "variants": {name: FULL["variants"][name] for name in SOME},
    "opposite": [name for name in FULL["opposite"] if name in SOME],
}
VARIANTS, CONTINUED, CORPUS = list(PARAMS["variants"]), list(PARAMS["continued"]), PARAMS["corpus"]
ROWS, EVERY_ROW = PARAMS["variants"] | PARAMS["continued"], FULL["variants"] | FULL["continued"]
AXIS = f"work/{CORPUS}/{PARAMS['direction']}-{PARAMS['segmentation']}"
CELLS = ("train", "evaluate", "score")
LATER = [f"continue_{start}" for start in PARAMS["starts"]]
OF_CONTINUED = ("evaluate_continued", "score_continued")
SHARED = ["corpus", "wordalign", "tag", "bpe", "candidates", "binarize", "binarize_opposite", "smaller", "report"]
ALWAYS = {"smaller"}  # stages that look for something each time, at next to no cost
NEEDS = ("needs", "needs_continued")
TRAININGS = ("train", "train_opposite", *LATER)
BY_NEEDS = (*TRAININGS, "evaluate", "score", *OF_CONTINUED)  # stages whose code is listed by the needs stages


class Project:
    """A copy of the project under DVC in which every output is there and up to date."""

    def __init__(self, root: Path):
        self.root = root
        for folder in ("stages", "fairseq_plugins"):
            shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "dvc.yaml", root)
        self.write(PARAMS)
        Repo.init(str(root), no_scm=True).close()
        for path in sorted({path for stage in self.stages().values() for path in _paths(stage)}, reverse=True):
            _stand_in(root / path)
        self.accept()

    @contextlib.contextmanager
    def repo(self) -> Iterator[Repo]:
        with contextlib.chdir(self.root), contextlib.closing(Repo()) as repo:
            yield repo

    def write(self, params: dict[str, Any]) -> None:
        (self.root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")

    def stages(self) -> dict[str, PipelineStage]:
        """By name, as `dvc stage list --name-only` prints them."""
        with self.repo() as repo:
            return {stage.addressing: stage for stage in repo.index.stages}

    def changed(self) -> set[str]:
        """The stages that `dvc status` names, without those that it always names."""
        with self.repo() as repo:
            return set(repo.status()) - ALWAYS

    def run(self, stage: str) -> None:
        """Run one stage for real, if it has something to do."""
        with self.repo() as repo:
            repo.reproduce(stage, single_item=True)

    def accept(self) -> None:
        """Take every output as it is for up to date."""
        with self.repo() as repo:
            repo.commit(force=True)


def _paths(stage: PipelineStage) -> list[str]:
    deps = [dep for dep in stage.deps if not isinstance(dep, ParamsDependency)]
    return [part.def_path for part in (*deps, *stage.outs)]


def _stand_in(path: Path) -> None:
    """Some content of its own at ``path``: a file if its name has a suffix, else a folder with a file."""
    if path.exists():
        return
    if not path.suffix:
        path = path / "content"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(path), encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def stages(project) -> dict[str, PipelineStage]:
    return project.stages()


@pytest.fixture
def edited(project):
    """A copy of the settings to edit and write; they are put back at the end."""
    yield yaml.safe_load(yaml.safe_dump(PARAMS, sort_keys=False))
    project.write(PARAMS)


def cells(variants: list[str], seeds: list[int]) -> set[str]:
    return {f"{stage}@{variant}-{seed}" for stage in CELLS for variant in variants for seed in seeds}


def needs(rows: Iterable[str]) -> set[str]:
    return {f"needs{'_continued' if row in CONTINUED else ''}@{row}" for row in rows}


def other_cells(seeds: list[int]) -> set[str]:
    """Those of the rows that start from another row's model, and the trainings in the opposite direction."""
    opposite = {f"train_opposite@{variant}-{seed}" for variant in PARAMS["opposite"] for seed in seeds}
    later = {f"{stage}@{row}-{seed}" for stage in OF_CONTINUED for row in CONTINUED for seed in seeds}
    starts = PARAMS["starts"].items()
    return (
        opposite
        | later
        | {f"continue_{start}@{row}-{seed}" for start, rows in starts for row in rows for seed in seeds}
    )


# Stages


def test_every_variant_and_seed_has_its_cells_and_nothing_else_is_there(stages):
    assert set(stages) == {*SHARED, *needs(ROWS), *cells(VARIANTS, PARAMS["seeds"]), *other_cells(PARAMS["seeds"])}


def test_every_row_of_the_report_is_trained_evaluated_and_scored_once(stages):
    for kind in ("models", "translations", "scores"):
        folder = Path(AXIS) / kind
        made = [out.def_path for stage in stages.values() for out in stage.outs if Path(out.def_path).parent == folder]
        assert sorted(Path(path).stem for path in made) == sorted(
            f"{row}-{seed}" for row in ROWS for seed in PARAMS["seeds"]
        )


def test_a_row_that_continues_depends_on_the_model_it_starts_from(stages):
    for start, rows in PARAMS["starts"].items():
        base, both_ways = base_of(start)
        for row in rows:
            deps = {dep.def_path for dep in stages[f"continue_{start}@{row}-1"].deps}
            assert f"{AXIS}/models/{base}-1/model.pt" in deps
            assert (f"{AXIS}/opposite/models/{base}-1/model.pt" in deps) == both_ways


def test_every_stage_says_what_it_does(stages):
    assert [name for name, stage in stages.items() if not stage.desc] == []


def test_no_two_stages_write_the_same_path(stages):
    outs = [Path(out.def_path) for stage in stages.values() for out in stage.outs]
    assert len(outs) == len(set(outs))
    assert [(a, b) for a in set(outs) for b in set(outs) & set(a.parents)] == []


def test_paths_of_a_command_are_its_dependencies_and_outputs(stages):
    for name, stage in stages.items():
        given = {path.rstrip("/") for path in re.findall(r"(?:work|reports)/\S+", stage.cmd)}
        known = [Path(path) for path in _paths(stage)]
        unknown = {path for path in given if not any(one == Path(path) or Path(path) in one.parents for one in known)}
        assert unknown <= {f"{AXIS}/scratch", f"{AXIS}/scratch-opposite", AXIS}, name


@pytest.mark.parametrize("group", [*SHARED, *NEEDS, *CELLS, "train_opposite", *LATER, *OF_CONTINUED])
def test_code_that_a_stage_imports_is_among_its_dependencies(stages, group):
    stage = next(stage for name, stage in stages.items() if name.partition("@")[0] == group)
    deps = [Path(dep.def_path) for dep in stage.deps]
    if group in BY_NEEDS:
        row = stage.name.partition("@")[2].rpartition("-")[0]
        kind = next((kind for kind in ("evaluate", "score") if group.startswith(kind)), "train")
        assert Path(f"{AXIS}/needs/{row}/{kind}") in deps
        [listing] = needs([row])
        deps = [Path(dep.def_path) for dep in stages[listing].deps]
    (module,) = re.findall(r"python -m (\S+)", stage.cmd)
    needed = [file for file in closure([module], ROOT) if (ROOT / file).read_text(encoding="utf-8").strip()]
    assert needed
    assert [str(file) for file in needed if not any(file == dep or dep in file.parents for dep in deps)] == []


# Variants


def test_every_model_file_is_a_variant_or_the_combination_of_terms():
    named = {variant["model"]["arch"] for variant in EVERY_ROW.values()}
    assert set(registry.names()) - {"attnmt"} <= named


def test_every_variant_is_a_model_file_a_combination_or_an_architecture_of_fairseq():
    registry.register_all()
    ours = set(registry.names())
    assert {variant["model"]["arch"] for variant in EVERY_ROW.values()} <= ours | set(ARCH_MODEL_REGISTRY)
    for variant in EVERY_ROW.values():
        assert variant["model"]["arch"] != "attnmt" or "terms" in variant["model"]


def test_a_published_system_goes_by_the_name_of_its_file():
    ours = set(registry.names()) - {"attnmt"}
    for name, variant in EVERY_ROW.items():
        model = variant["model"]
        another = len(model) > 1 or variant["training"] or name in CONTINUED
        assert name == model["arch"] or model["arch"] not in ours or another, name


# What an edit reruns


def test_a_second_look_finds_nothing_to_do(project):
    assert project.changed() == set()


def test_an_edited_model_concerns_its_variant_and_the_report(project, edited):
    edited["variants"]["ba_nmt"]["model"]["history_dim"] = 5
    project.write(edited)
    assert project.changed() == {"needs@ba_nmt", *(f"train@ba_nmt-{seed}" for seed in PARAMS["seeds"]), "report"}


def test_an_edited_row_that_continues_concerns_itself_and_the_report(project, edited):
    edited["continued"]["bridging_direct"]["training"]["max_epoch"] = 99
    project.write(edited)
    own = {f"continue_rnnsearch_star@bridging_direct-{seed}" for seed in PARAMS["seeds"]}
    assert project.changed() == {"needs_continued@bridging_direct", *own, "report"}


def test_an_edited_title_concerns_the_report_alone(project, edited):
    edited["variants"]["ba_nmt"]["title"] += "!"
    project.write(edited)
    assert project.changed() == {"report"}


def test_an_added_seed_concerns_its_cells_and_the_report(project, edited):
    edited["seeds"].append(99)
    project.write(edited)
    assert project.changed() == {*cells(VARIANTS, [99]), *other_cells([99]), "report"}


def test_an_added_variant_concerns_its_cells_and_the_report(project, edited):
    edited["variants"]["mine"] = {"title": "Mine", "model": {"arch": "attnmt", "terms": []}, "training": {}}
    project.write(edited)
    assert project.changed() == {"needs@mine", *cells(["mine"], PARAMS["seeds"]), "report"}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("corpus.max_length", {"corpus"}),
        ("corpus.source", {"corpus", "binarize", "binarize_opposite", "candidates", *NEEDS}),
        ("segmentation.merges", {"bpe", "binarize", "binarize_opposite"}),
        ("segmentation.joint", {"bpe", "binarize", "binarize_opposite"}),
        ("model.hidden_dim", {*TRAININGS, "report"}),
        ("training.lr", {*TRAININGS, "report"}),
        ("training.supervision", {*TRAININGS, *NEEDS, "report"}),
        ("wordalign.seed", {"wordalign"}),
        ("decoding.beam", {"evaluate", "score", *OF_CONTINUED}),
        ("score.detokenise", {"score", "score_continued"}),
        ("compare.resamples", {"report"}),
        ("report.longest", {"report"}),
        ("report.smaller", {"report", "smaller"}),
    ],
)
def test_a_setting_of_a_corpus_is_tracked_where_it_is_read(stages, key, expected):
    assert _trackers(stages, f"corpora.{CORPUS}.{key}") == expected
    other = next(name for name in PARAMS["corpora"] if name != CORPUS)
    assert _trackers(stages, f"corpora.{other}.{key}") == set()


def _trackers(stages: dict[str, PipelineStage], key: str) -> set[str]:
    """The groups of stages that declare ``key`` or a section around it among their params."""
    return {
        name.partition("@")[0]
        for name, stage in stages.items()
        for dep in stage.deps
        if isinstance(dep, ParamsDependency)
        for tracked in dep.params
        if f"{key}.".startswith(f"{tracked}.")
    }


# The report of less training text, which may be missing


def test_only_what_looks_for_a_file_that_may_be_missing_runs_each_time(project):
    with project.repo() as repo:
        always = {stage.addressing for stage in repo.index.stages if stage.always_changed}
        assert always == ALWAYS
        assert {name: repo.status()[name] for name in ALWAYS} == {"smaller": ["always changed"]}


def test_a_smaller_report_concerns_the_report_when_it_is_made_changed_and_removed(project, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    smaller = FULL["corpora"][CORPUS]["report"]["smaller"]
    metrics = project.root / "reports" / smaller / "metrics.json"
    project.run("smaller")
    project.accept()
    project.run("smaller")
    assert project.changed() == set()
    metrics.parent.mkdir()
    for name, content in (
        ("metrics.json", {"systems": {}, "recipe": {}}),
        ("metrics.json", {"systems": {}, "recipe": {"seeds": [1]}}),
        ("comparisons.json", {"settings": {}, "sets": {}}),
        ("comparisons.json", {"settings": {"level": 0.05}, "sets": {}}),
    ):
        metrics.with_name(name).write_text(json.dumps(content), encoding="utf-8")
        project.run("smaller")
        assert project.changed() == {"report"}
        project.accept()
        project.run("smaller")
        assert project.changed() == set()
    shutil.rmtree(metrics.parent)
    project.run("smaller")
    assert project.changed() == {"report"}
    project.accept()


@pytest.mark.parametrize(
    ("smaller", "message"),
    [("demo", r"corpora\.demo\.report\.smaller: name another corpus, or null"), ("gone", r"corpora has no 'gone'")],
)
def test_a_smaller_study_that_cannot_be_is_one_clear_error(tmp_path, monkeypatch, smaller, message):
    monkeypatch.chdir(tmp_path)
    report = FULL["corpora"]["demo"]["report"] | {"smaller": smaller}
    Path("params.yaml").write_text(yaml.safe_dump({"corpora": {"demo": {"report": report}}}), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        smaller_report("demo", Path("reports"))


def test_the_smaller_of_two_committed_studies_differs_in_nothing_but_its_training_text():
    pairs = {name: of["report"]["smaller"] for name, of in FULL["corpora"].items() if of["report"]["smaller"]}
    assert pairs
    for larger, smaller in pairs.items():
        first, second = (FULL["corpora"][name] for name in (smaller, larger))
        assert {section for section in second if first[section] != second[section]} == {"corpus", "report"}
        assert first["report"] == second["report"] | {"smaller": None}
        (size,) = {key for key in second["corpus"] if first["corpus"][key] != second["corpus"][key]}
        assert size in ("train", "limit") and first["corpus"][size] < second["corpus"][size]


def test_the_demo_of_less_training_text_has_the_other_sets_of_the_demo():
    sizes = [FULL["corpora"][name]["corpus"] for name in ("demo-small", "demo")]
    few, many = (generate(of["train"], of["dev"], of["test"], of["gold"], of["seed"]) for of in sizes)
    assert {name for name in many if few[name] != many[name]} == {"train"}
    assert few["train"] == many["train"][: len(few["train"])]


def test_edited_code_of_the_training_reaches_it_through_the_fingerprints(project):
    file = project.root / "fairseq_plugins" / "core" / "decoder.py"
    before = file.read_text(encoding="utf-8")
    file.write_text(before + "\nEXTRA = 1\n", encoding="utf-8")
    try:
        assert project.changed() == needs(ROWS)
    finally:
        file.write_text(before, encoding="utf-8")
