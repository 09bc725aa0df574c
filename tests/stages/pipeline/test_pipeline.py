"""dvc.yaml: which stages there are, and what they depend on."""

import re
from pathlib import Path

import pytest
import yaml
from dvc.stage import PipelineStage

from tests.helpers.paths import ROOT
from tests.helpers.project import CHECK, INITIALISE, MANIFEST, PARAMS, ROWS, RUN, SHARED, STUDY, TUNED, jobs, paths

pytest_plugins = ["tests.helpers.project"]


@pytest.mark.dvc
def test_every_system_and_seed_has_its_stages_and_nothing_else_is_there(stages):
    assert set(stages) == SHARED | INITIALISE | jobs(ROWS, PARAMS["seeds"])


@pytest.mark.dvc
def test_every_system_is_trained_evaluated_and_scored_once(stages):
    expected = {f"{name}-{seed}" for name in [*ROWS, *TUNED] for seed in PARAMS["seeds"]}
    for kind in ("translations", "scores"):
        made = _made(stages, f"{RUN}/{kind}/")
        of_direction = sorted(name for name in made if not name.endswith("-reverse"))
        assert of_direction == sorted(expected | set(PARAMS["statistical"]))
    reverse = {f"{name}-{seed}-reverse" for name in PARAMS["reverse"] for seed in PARAMS["seeds"]}
    assert {name for name in _made(stages, f"{RUN}/translations/") if name.endswith("-reverse")} == reverse
    models = {name.replace("/", "-") for name in _made(stages, f"{RUN}/models/") if not name.endswith("-reverse")}
    assert models == expected


def _made(stages: dict[str, PipelineStage], folder: str) -> list[str]:
    outs = [out.def_path for stage in stages.values() for out in stage.outs]
    return [path.removeprefix(folder) for path in outs if path.startswith(folder)]


@pytest.mark.dvc
def test_a_fine_tuned_system_depends_on_the_models_of_its_base_and_on_no_other(project):
    with project.repo() as repo:
        graph = repo.index.graph
        ancestors = {stage.addressing: {other.addressing for other in graph.successors(stage)} for stage in graph.nodes}
    for name, base in PARAMS["fine_tuned"].items():
        reverse = [f"train_reverse@{STUDY}-{base}-1"] if base in PARAMS["reverse"] else []
        assert ancestors[f"initialise@{name}"] == {MANIFEST, f"train@{STUDY}-{base}-1", *reverse}
        assert f"initialise@{name}" in ancestors[f"fine_tune@{STUDY}-{name}-1"]


@pytest.mark.dvc
def test_every_stage_says_what_it_does(stages):
    assert [name for name, stage in stages.items() if not stage.desc] == []


@pytest.mark.dvc
def test_no_stage_runs_always(stages):
    assert [name for name, stage in stages.items() if stage.always_changed] == []


@pytest.mark.dvc
def test_no_two_stages_write_the_same_path(stages):
    outs = [Path(out.def_path) for stage in stages.values() for out in stage.outs]
    assert len(outs) == len(set(outs))
    assert [(a, b) for a in set(outs) for b in set(outs) & set(a.parents)] == []


@pytest.mark.dvc
def test_paths_of_a_command_are_its_dependencies_and_outputs(stages):
    for name, stage in stages.items():
        given = {path.rstrip("/") for path in re.findall(r"(?:work|reports)/[^\s']+", _command(stage))}
        known = [Path(path) for path in paths(stage)]
        unknown = {path for path in given if not any(Path(path) in (one, *one.parents) for one in known)}
        assert unknown <= {f"{RUN}/scratch", f"{RUN}/scratch-reverse"}, name


@pytest.mark.dvc
def test_every_stage_depends_on_its_own_list_of_code(stages):
    for name, stage in stages.items():
        if name in (CHECK, MANIFEST):
            continue
        (script,) = re.findall(r"^python -m stages\.(\w+) ", _command(stage))
        system = re.findall(r"--variant '(\w+)' ", _command(stage)) if script == "train" else []
        system = [name.split("-")[-2]] if script == "evaluate" else system
        code = [dep.def_path for dep in stage.deps if dep.def_path.startswith("work/manifest/")]
        assert code == ["/".join(["work/manifest", script, *system])], name


def _command(stage: PipelineStage) -> str:
    """What a stage runs, after the guard before it."""
    if isinstance(stage.cmd, str):
        return stage.cmd
    guard, command = stage.cmd
    assert guard == GUARD
    return command


GUARD = "python -m stages.names"


def test_what_is_written_into_a_command_is_guarded_and_quoted():
    """A shell reads what DVC writes there: nothing of it before the names have been looked at."""
    blocks = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"].values()
    for command in [block.get("do", block)["cmd"] for block in blocks]:
        guard, *others = [command] if isinstance(command, str) else command
        assert "${" not in guard and (guard == GUARD or not any("${" in one for one in others))
        for one in others:
            assert "${" not in re.sub(r"(?<= )'[^']*'(?= |$)", "", one)


def test_no_code_starts_a_shell():
    code = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    assert len(code) > 100
    assert [path for path in code if re.search(r"shell\s*=\s*True|os\.(system|popen)\(", path.read_text("utf-8"))] == []


CODE = ("stages", "fairseq_plugins", "benchmarks", "docs")
