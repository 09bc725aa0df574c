"""dvc.yaml: which stages there are, and what they depend on."""

import re
from pathlib import Path

import pytest
import yaml
from dvc.stage import PipelineStage

from stages.files.run_directory import RunDirectory
from tests.helpers.paths import ROOT
from tests.helpers.project import (
    CHECK,
    CORPUS,
    FOLDER,
    INITIALISE,
    MANIFEST,
    PARAMS,
    ROWS,
    RUN,
    SHARED,
    TUNED,
    jobs,
)

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
        assert of_direction == sorted(expected | set(PARAMS["smt"]))
    reverse = {f"{name}-{seed}-reverse" for name in PARAMS["also_reverse"] for seed in PARAMS["seeds"]}
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
        reverse = [f"train_reverse@{FOLDER}-{base}-1"] if base in PARAMS["also_reverse"] else []
        assert ancestors[f"initialise@{name}"] == {MANIFEST, f"train@{FOLDER}-{base}-1", *reverse}
        assert f"initialise@{name}" in ancestors[f"fine_tune@{FOLDER}-{name}-1"]


@pytest.mark.dvc
def test_no_stage_runs_always(stages):
    assert [name for name, stage in stages.items() if stage.always_changed] == []


@pytest.mark.dvc
def test_no_two_stages_write_the_same_path(stages):
    outs = [Path(out.def_path) for stage in stages.values() for out in stage.outs]
    assert len(outs) == len(set(outs))
    assert [(a, b) for a in set(outs) for b in set(outs) & set(a.parents)] == []


FOLDERS = RunDirectory(Path(RUN))
OUTS = {
    "corpus": lambda: [FOLDERS.of_corpus.text],
    "wordalign": lambda: [FOLDERS.of_corpus.wordalign],
    "thotalign": lambda: [FOLDERS.of_corpus.thotalign],
    "tag": lambda: [FOLDERS.of_corpus.tags],
    "bpe": lambda: [FOLDERS.tokens],
    "candidates": lambda: [FOLDERS.candidates],
    "binarize": lambda: [FOLDERS.data, FOLDERS.data_reverse],
    "supervision": lambda: [FOLDERS.supervision],
    "train": lambda *system: [FOLDERS.model(*system)],
    "train_reverse": lambda *system: [FOLDERS.model(*system, reverse=True)],
    "fine_tune": lambda *system: [FOLDERS.model(*system)],
    "initialise": lambda variant: [FOLDERS.initial(variant)],
    "evaluate": lambda *system: [FOLDERS.translations(*system)],
    "evaluate_fine_tuned": lambda *system: [FOLDERS.translations(*system)],
    "evaluate_reverse": lambda *system: [FOLDERS.translations(*system, reverse=True)],
    "score": lambda *system: [FOLDERS.scores(*system)],
    "score_fine_tuned": lambda *system: [FOLDERS.scores(*system)],
    "share": lambda variant: [FOLDERS.model(variant, 1).parent],
    "evaluate_decoded": lambda *system: [FOLDERS.translations(*system)],
    "score_decoded": lambda *system: [FOLDERS.scores(*system)],
    "released": lambda *system: [FOLDERS.model(*system), FOLDERS.translations(*system), FOLDERS.scores(*system)],
    "read_outs": lambda variant: [FOLDERS.read_outs(variant)],
    "smt": lambda variant: [FOLDERS.translations(variant, 1)],
    "score_smt": lambda variant: [FOLDERS.scores(variant, 1)],
}
"""Group of stages -> where it writes, by the layout that its script goes by; the others write one fixed path."""


@pytest.mark.dvc
def test_outputs_stand_where_the_scripts_leave_them(every_group):
    """dvc.yaml writes paths by itself: DVC cannot ask the layout."""
    found = set()
    for name, stage in every_group.items():
        group, _, item = name.partition("@")
        if group in OUTS:
            system = [part if part.isidentifier() else int(part) for part in item.removeprefix(f"{FOLDER}-").split("-")]
            system = [] if item in (FOLDER, CORPUS) else system
            assert [Path(out.def_path) for out in stage.outs] == OUTS[group](*system), name
            found.add(group)
    assert found == set(OUTS)


@pytest.mark.dvc
def test_every_stage_depends_on_its_own_list_of_code(stages):
    for name, stage in stages.items():
        if name in (CHECK, MANIFEST):
            continue
        (script,) = re.findall(r"^python -m stages\.(\w+) ", _command(stage))
        system = re.findall(r"--variant (\w+) ", _command(stage)) if script in ("train", "evaluate") else []
        code = [dep.def_path for dep in stage.deps if dep.def_path.startswith("work/manifest/")]
        assert code == ["/".join(["work/manifest", script, *system])], name


def _command(stage: PipelineStage) -> str:
    """What a stage runs, after the guard of the one that has it."""
    return stage.cmd if isinstance(stage.cmd, str) else stage.cmd[-1]


@pytest.mark.dvc
def test_a_command_says_of_what_it_is_and_no_path(stages):
    commands = {name: _command(stage).partition(" -m stages.")[2] for name, stage in stages.items()}
    folder = f"--corpus {CORPUS} --direction forward --segmentation bpe"
    assert commands[CHECK] == "check" and commands[f"bpe@{FOLDER}"] == f"bpe {folder}"
    assert commands[f"corpus@{CORPUS}"] == f"corpus --corpus {CORPUS}"
    system = f"{folder} --variant cohn_all --seed 1"
    assert commands[f"train@{FOLDER}-cohn_all-1"] == f"train {system}"
    assert commands[f"train_reverse@{FOLDER}-cohn_all-1"] == f"train --reverse {system}"
    assert not any("/" in command for command in commands.values())


def test_dvc_quotes_what_it_writes_into_a_command_and_the_guard_stands_before_what_it_does_not():
    """A whole mapping it quotes for the shell, as `${item}` of a matrix; a name by itself it does not."""
    blocks = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    guarded = []
    for name, block in blocks.items():
        command = block.get("do", block)["cmd"]
        if isinstance(command, str):
            assert re.fullmatch(r"python -m stages\.\w+( --[a-z-]+)*( \$\{item\})?", command)
            continue
        guard, command = command
        assert guard == "python -m stages.names" and "${" not in re.sub(r"(?<= )'[^']*'(?= |$)", "", command)
        guarded.append(name)
    assert guarded == [name for name, block in blocks.items() if "foreach" in block]


def test_no_code_starts_a_shell():
    code = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    assert len(code) > 100
    assert [path for path in code if re.search(r"shell\s*=\s*True|os\.(system|popen)\(", path.read_text("utf-8"))] == []


CODE = ("stages", "fairseq_plugins", "benchmarks", "docs")
