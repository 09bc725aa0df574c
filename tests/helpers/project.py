"""A copy of the project under DVC where one small file stands for every output, so that nothing is trained."""

import contextlib
import json
import os
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

from stages.files.run_directory import MANIFEST as MANIFEST_FOLDER
from stages.manifest import manifest
from stages.pipeline.dvc import each_path_once, patch
from tests.helpers import committed
from tests.helpers.paths import ROOT

FULL = committed.params()
ROWS = ["rnnencdec", "rnnsearch_star", "ba_nmt", "cohn_all", "supervised_attention"]
# Enough systems and corpora to see who is left alone, and no more: DVC reads the file once for every stage.
FEW = {
    "variants": {name: FULL["variants"][name] for name in [*ROWS, *FULL["fine_tuned"]]},
    "titles": {name: FULL["titles"][name] for name in [*ROWS, *FULL["fine_tuned"]]},
    "corpora": {name: FULL["corpora"][name] for name in (FULL["corpus"], "multi30k-de-en")},
    "studies": {name: FULL["studies"][name] for name in (FULL["study"], *FULL["training_sizes"])},
}
PARAMS = FULL | FEW | {"systems": ROWS, "also_reverse": ["rnnencdec", "cohn_all"]}
for name in ("defaults", "sets", "fine_tuned_sets", "recipes"):  # what the others are written with
    del PARAMS[name]
STUDY, TUNED, CORPUS = PARAMS["study"], list(PARAMS["fine_tuned"]), PARAMS["corpus"]
RUN = f"work/{CORPUS}/{PARAMS['direction']}-{PARAMS['segmentation']}"
FOLDER = f"{CORPUS}-{PARAMS['direction']}-{PARAMS['segmentation']}"  # as stages are named that work in it
CHECK, MANIFEST, REPORT = (f"{stage}@{STUDY}" for stage in ("check", "manifest", "report"))
SHARED = {
    *(f"{stage}@{CORPUS}" for stage in ("given", "corpus", "wordalign", "thotalign", "tag")),
    *(f"{stage}@{STUDY}" for stage in ("check", "manifest", "report")),
    *(f"{stage}@{FOLDER}" for stage in ("bpe", "candidates", "binarize", "supervision")),
    *(f"{stage}@{FOLDER}-{name}" for stage in ("smt", "score_smt") for name in PARAMS["smt"]),
    *(f"training_sizes@{STUDY}-{smaller}" for smaller in PARAMS["training_sizes"]),
}
INITIALISE = {f"initialise@{name}" for name in TUNED}


def jobs(
    rows: list[str], seeds: list[int], tuned: list[str] = TUNED, reverse: list[str] = PARAMS["also_reverse"]
) -> set[str]:
    """The stages of systems with seeds."""
    groups = {
        ("train", "evaluate", "score"): rows,
        ("fine_tune", "evaluate_fine_tuned", "score_fine_tuned"): tuned,
        ("train_reverse", "evaluate_reverse"): reverse,
    }
    return {
        f"{stage}@{FOLDER}-{name}-{seed}"
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
        self.code = self.listed()
        for path in sorted({path for stage in self.stages().values() for path in paths(stage)}, reverse=True):
            stand_in(root / path)
        self.accept()

    @contextlib.contextmanager
    def repo(self) -> Iterator[Repo]:
        """As the runner asks DVC: plain, it parses params.yaml anew for every stage."""
        patch()
        with contextlib.chdir(self.root), contextlib.closing(Repo()) as repo:
            yield repo

    def write(self, params: dict[str, Any]) -> None:
        (self.root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")

    def list_code(self) -> None:
        """The manifest stage, for real, on the code of the copy; a text that it has hashed before it knows."""
        with contextlib.chdir(self.root):
            manifest(MANIFEST_FOLDER)

    def listed(self) -> dict[str, str]:
        """What the manifest stage wrote, by path; ``code`` is that of the code as it is committed."""
        files = (path for path in (self.root / "work/manifest").rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8") for path in files}

    def stages(self) -> dict[str, PipelineStage]:
        """By name, as `dvc stage list --name-only` prints them."""
        with self.repo() as repo:
            return {stage.addressing: stage for stage in repo.index.stages}

    def changed(self) -> set[str]:
        """The stages that `dvc status` names, but for `check`, which every edit of settings or code concerns."""
        with self.repo() as repo, each_path_once():
            return set(repo.status()) - {CHECK}

    def changed_by_plain_dvc(self) -> set[str]:
        """The same, asked of DVC as it comes."""
        command = [sys.executable, "-m", "dvc", "status", "--json"]
        return set(json.loads(subprocess.check_output(command, cwd=self.root))) - {CHECK}

    def is_to_be_checked(self) -> bool:
        with self.repo() as repo:
            return bool(repo.status(CHECK))

    def accept(self, *stages: str) -> None:
        """Take outputs as they are for up to date, all of them unless some stages are named."""
        with self.repo() as repo:
            for stage in stages or (None,):
                repo.commit(stage, force=True)


def paths(stage: PipelineStage) -> list[str]:
    deps = [dep for dep in stage.deps if not isinstance(dep, ParamsDependency)]
    return [part.def_path for part in (*deps, *stage.outs)]


def stand_in(path: Path) -> None:
    """Some content of its own at ``path``: a file if its name has a suffix, else a folder with a file."""
    if path.exists():
        return
    if not path.suffix:
        path = path / "content"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(path), encoding="utf-8")


@pytest.fixture(scope="session")
def project(tmp_path_factory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def stages(project) -> dict[str, PipelineStage]:
    return project.stages()


@pytest.fixture(scope="session")
def every_group(project) -> dict[str, PipelineStage]:
    """Stages of a study that has some of each group of dvc.yaml."""
    decoded, released = "rnnsearch_star_no_repeats", "sa_nmt"
    more = {name: FULL["variants"][name] for name in (decoded, released)}
    some = {"decoded": {decoded: "rnnsearch_star"}, "released": {released: None}, "released_smt": ["smt_elsewhere"]}
    project.write(PARAMS | some | {"variants": PARAMS["variants"] | more, "read_outs": ["ba_nmt"]})
    stages = project.stages()
    project.write(PARAMS)
    assert {name.partition("@")[0] for name in stages} == {*yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]}
    return stages


@pytest.fixture
def edited(project):
    """A copy of the settings to edit and write; they are put back at the end."""
    yield yaml.safe_load(yaml.safe_dump(PARAMS, sort_keys=False))
    project.write(PARAMS)
