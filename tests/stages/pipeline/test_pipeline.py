"""dvc.yaml: which stages there are, what they depend on, and what an edit of params.yaml or of the code reruns.

The isolation is tried in a copy of the project where one small file stands for every output, so nothing is trained.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

os.environ["DVC_NO_ANALYTICS"] = "1"
from dvc.dependency import ParamsDependency
from dvc.repo import Repo
from dvc.stage import PipelineStage

from tests.helpers.paths import ROOT

FULL = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
ROWS = ["rnnencdec", "rnnsearch_star", "ba_nmt", "cohn_all", "supervised_attention"]
PARAMS = FULL | {"rows": ROWS, "reverse": ["rnnencdec", "cohn_all"]}  # enough systems to see who is left alone
STUDY, TUNED, CORPUS = PARAMS["study"], list(PARAMS["fine_tuned"]), PARAMS["corpus"]
RUN = f"work/{CORPUS}/{PARAMS['direction']}-{PARAMS['segmentation']}"
REPORT = f"report@{STUDY}"
SHARED = {
    "manifest",
    *(f"{stage}@{CORPUS}" for stage in ("corpus", "wordalign", "tag")),
    *(f"{stage}@{STUDY}" for stage in ("bpe", "candidates", "binarize", "supervision", "report")),
    *(f"training_sizes@{STUDY}-{smaller}" for smaller in PARAMS["training_sizes"]),
}
INITIALISE = {f"initialise@{name}" for name in TUNED}


def jobs(
    rows: list[str], seeds: list[int], tuned: list[str] = TUNED, reverse: list[str] = PARAMS["reverse"]
) -> set[str]:
    """The stages of systems with seeds."""
    groups = {
        ("train", "evaluate", "score"): rows,
        ("fine_tune", "evaluate_fine_tuned", "score_fine_tuned"): tuned,
        ("train_reverse",): reverse,
    }
    return {
        f"{stage}@{STUDY}-{name}-{seed}"
        for stages, names in groups.items()
        for stage in stages
        for name in names
        for seed in seeds
    }


class Project:
    """A copy of the project under DVC in which every output is there and up to date."""

    def __init__(self, root: Path):
        self.root = root
        for folder in ("stages", "fairseq_plugins"):
            shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "dvc.yaml", root)
        self.write(PARAMS)
        Repo.init(str(root), no_scm=True).close()
        self.list_code()
        for path in sorted({path for stage in self.stages().values() for path in _paths(stage)}, reverse=True):
            _stand_in(root / path)
        self.accept()

    @contextlib.contextmanager
    def repo(self) -> Iterator[Repo]:
        with contextlib.chdir(self.root), contextlib.closing(Repo()) as repo:
            yield repo

    def write(self, params: dict[str, Any]) -> None:
        (self.root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")

    def list_code(self) -> None:
        """The manifest stage, for real."""
        command = [sys.executable, "-m", "stages.manifest", "--out", "work/manifest"]
        subprocess.run(command, cwd=self.root, check=True)

    def stages(self) -> dict[str, PipelineStage]:
        """By name, as `dvc stage list --name-only` prints them."""
        with self.repo() as repo:
            return {stage.addressing: stage for stage in repo.index.stages}

    def changed(self) -> set[str]:
        """The stages that `dvc status` names."""
        with self.repo() as repo:
            return set(repo.status())

    def accept(self, *stages: str) -> None:
        """Take outputs as they are for up to date, all of them unless some stages are named."""
        with self.repo() as repo:
            for stage in stages or (None,):
                repo.commit(stage, force=True)


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


# Stages


def test_every_system_and_seed_has_its_stages_and_nothing_else_is_there(stages):
    assert set(stages) == SHARED | INITIALISE | jobs(ROWS, PARAMS["seeds"])


def test_every_system_is_trained_evaluated_and_scored_once(stages):
    expected = {f"{name}-{seed}" for name in [*ROWS, *TUNED] for seed in PARAMS["seeds"]}
    for kind in ("translations", "scores"):
        assert sorted(_made(stages, f"{RUN}/{kind}/")) == sorted(expected)
    models = {name.replace("/", "-") for name in _made(stages, f"{RUN}/models/") if not name.endswith("-reverse")}
    assert models == expected


def _made(stages: dict[str, PipelineStage], folder: str) -> list[str]:
    outs = [out.def_path for stage in stages.values() for out in stage.outs]
    return [path.removeprefix(folder) for path in outs if path.startswith(folder)]


def test_a_fine_tuned_system_depends_on_the_models_of_its_base_and_on_no_other(project):
    with project.repo() as repo:
        graph = repo.index.graph
        ancestors = {stage.addressing: {other.addressing for other in graph.successors(stage)} for stage in graph.nodes}
    for name, base in PARAMS["fine_tuned"].items():
        reverse = [f"train_reverse@{STUDY}-{base}-1"] if base in PARAMS["reverse"] else []
        assert ancestors[f"initialise@{name}"] == {"manifest", f"train@{STUDY}-{base}-1", *reverse}
        assert f"initialise@{name}" in ancestors[f"fine_tune@{STUDY}-{name}-1"]


def test_every_stage_says_what_it_does(stages):
    assert [name for name, stage in stages.items() if not stage.desc] == []


def test_no_stage_runs_always(stages):
    assert [name for name, stage in stages.items() if stage.always_changed] == []


def test_no_two_stages_write_the_same_path(stages):
    outs = [Path(out.def_path) for stage in stages.values() for out in stage.outs]
    assert len(outs) == len(set(outs))
    assert [(a, b) for a in set(outs) for b in set(outs) & set(a.parents)] == []


def test_paths_of_a_command_are_its_dependencies_and_outputs(stages):
    for name, stage in stages.items():
        given = {path.rstrip("/") for path in re.findall(r"(?:work|reports)/\S+", stage.cmd)}
        known = [Path(path) for path in _paths(stage)]
        unknown = {path for path in given if not any(Path(path) in (one, *one.parents) for one in known)}
        assert unknown <= {f"{RUN}/scratch", f"{RUN}/scratch-reverse"}, name


def test_every_stage_depends_on_its_own_list_of_code(stages):
    for name, stage in stages.items():
        if name == "manifest":
            continue
        (script,) = re.findall(r"^python -m stages\.(\w+) ", stage.cmd)
        system = re.findall(r"--variant (\w+) ", stage.cmd) if script == "train" else []
        system = [name.split("-")[-2]] if script == "evaluate" else system
        code = [dep.def_path for dep in stage.deps if dep.def_path.startswith("work/manifest/")]
        assert code == ["/".join(["work/manifest", script, *system])], name


# What an edit of the settings reruns


def test_a_second_look_finds_nothing_to_do(project):
    assert project.changed() == set()


def test_an_edited_model_concerns_its_system_and_what_lists_all(project, edited):
    edited["variants"]["ba_nmt"]["model"]["history_dim"] = 5
    project.write(edited)
    assert project.changed() == {"manifest", f"supervision@{STUDY}", f"train@{STUDY}-ba_nmt-1", REPORT}


def test_an_edited_fine_tuned_system_concerns_itself(project, edited):
    edited["variants"]["bridging_direct"]["training"]["max_epoch"] = 99
    project.write(edited)
    assert project.changed() == {"manifest", f"supervision@{STUDY}", f"fine_tune@{STUDY}-bridging_direct-1", REPORT}


def test_an_edited_title_trains_nothing(project, edited):
    edited["variants"]["ba_nmt"]["title"] += "!"
    project.write(edited)
    assert project.changed() == {"manifest", f"supervision@{STUDY}", REPORT}
    project.list_code()
    before = (project.root / "work/manifest/train/ba_nmt").read_bytes()
    project.accept("manifest")
    assert project.changed() == {f"supervision@{STUDY}", REPORT}
    assert (project.root / "work/manifest/train/ba_nmt").read_bytes() == before
    project.write(PARAMS)
    project.accept("manifest")


def test_an_added_seed_concerns_its_own_trainings_and_the_report(project, edited):
    edited["seeds"].append(99)
    project.write(edited)
    assert project.changed() == jobs(ROWS, [99]) | INITIALISE | {REPORT}


def test_an_added_variant_concerns_its_own_training_and_what_lists_all(project, edited):
    edited["variants"]["mine"] = {"title": "Mine", "model": {"arch": "attnmt", "terms": []}, "training": {}}
    edited["rows"].append("mine")
    project.write(edited)
    own = jobs(["mine"], PARAMS["seeds"], [], [])
    assert project.changed() == own | {"manifest", f"supervision@{STUDY}", REPORT}


def test_a_row_taken_out_of_the_study_trains_nothing(project, edited):
    edited["rows"].remove("supervised_attention")
    project.write(edited)
    assert project.changed() == {f"supervision@{STUDY}", REPORT}


def test_another_study_and_back_is_up_to_date(project, edited):
    """Both on one corpus: of another corpus nothing is here."""
    project.write(edited | {"study": "other", "rows": ["rnnencdec"], "fine_tuned": {}, "reverse": []})
    assert not any(name.startswith("train@demo-") for name in project.changed())
    project.write(PARAMS)
    assert project.changed() == set()


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("corpus.max_length", {"corpus"}),
        ("corpus.source", {"corpus", "binarize", "candidates", "supervision"}),
        ("segmentation.merges", {"bpe", "binarize"}),
        ("segmentation.joint", {"bpe", "binarize"}),
        ("model.hidden_dim", {"train", "train_reverse", "fine_tune", "report"}),
        ("training.lr", {"train", "train_reverse", "fine_tune", "report"}),
        ("training.supervision", {"train", "train_reverse", "fine_tune", "report", "supervision"}),
        ("wordalign.seed", {"wordalign"}),
        ("decoding.beam", {"evaluate", "evaluate_fine_tuned", "score", "score_fine_tuned"}),
        ("score.detokenise", {"score", "score_fine_tuned"}),
        ("compare.resamples", {"report"}),
        ("report.longest", {"report"}),
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


# What an edit of the code reruns


TRAIN, EVALUATE = {"train", "train_reverse", "fine_tune"}, {"evaluate", "evaluate_fine_tuned"}
SCORE = {"score", "score_fine_tuned"}
SOURCE_HISTORY = {"ba_nmt", "ba_bridging_direct"}
EVERY = {*ROWS, *TUNED}


@pytest.mark.parametrize(
    ("file", "groups", "systems", "others"),
    [
        ("fairseq_plugins/terms/source_history.py", TRAIN | EVALUATE, SOURCE_HISTORY, {REPORT}),
        ("stages/measures/aer.py", SCORE, EVERY, {f"wordalign@{CORPUS}", REPORT}),
        ("stages/translating/decoding.py", TRAIN | EVALUATE, EVERY, set()),
        ("stages/training/transfer.py", TRAIN, EVERY, set()),
        ("stages/tagging/tagger.py", SCORE, EVERY, {f"tag@{CORPUS}", REPORT}),
        ("stages/reporting/heat_map.py", set(), set(), {REPORT}),
        ("stages/pipeline/repro.py", set(), set(), set()),
    ],
)
def test_edited_code_reruns_who_runs_it(project, file, groups, systems, others):
    path = project.root / file
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "\nEXTRA = 1\n", encoding="utf-8")
    try:
        # Of the report DVC sees the formulas' files themselves: their docstrings are shown.
        assert project.changed() - {REPORT} == {"manifest"}
        project.list_code()
        project.accept("manifest")
        own = {
            name for name in jobs(ROWS, PARAMS["seeds"]) if name.partition("@")[0] in groups and _of(name) in systems
        }
        assert project.changed() == own | others
    finally:
        path.write_text(before, encoding="utf-8")
        project.list_code()
        project.accept("manifest")
    assert project.changed() == set()


def _of(stage: str) -> str:
    """The system of a stage."""
    return stage.removesuffix("-1").rpartition("-")[2]


def test_an_edited_comment_reruns_nothing(project):
    path = project.root / "fairseq_plugins" / "core" / "decoder.py"
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "\n# a thought\n", encoding="utf-8")
    try:
        assert project.changed() == {"manifest"}
        project.list_code()
        project.accept("manifest")
        assert project.changed() == set()
    finally:
        path.write_text(before, encoding="utf-8")
        project.accept("manifest")
