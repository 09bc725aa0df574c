"""docs/dependencies.md names places, tests and versions that exist; and what no other test says about dependencies."""

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from dvc.repo import Repo

from tests.helpers.paths import ROOT

PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
NAMED = re.compile(r"\[`([^`]+)`\]\(\.\./([^)]+)\)")
LOCKED = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.M))
DVC = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]


def test_every_place_exists() -> None:
    """What is named stands in the file that the link leads to; of a method the name alone."""
    gone = []
    for name, path in NAMED.findall(PAGE):
        method = re.fullmatch(r"[A-Z]\w+\.(\w+)", name)
        file = ROOT / path
        if not file.is_file() or (name != path and (method[1] if method else name) not in file.read_text("utf-8")):
            gone.append(f"{name} in {path}")
    assert gone == [] and len(NAMED.findall(PAGE)) > 50


def test_every_test_exists() -> None:
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named - defined == set() and len(named) > 50


def test_every_row_says_who_would_notice() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| what |")]
    cells = [line.strip("| ").split(" | ") for line in rows]
    assert {len(row) for row in cells} == {4}
    unnoticed = [
        row[0] for row in cells if not re.search(r"`test_\w+`|test_\w+\.py", row[3]) and "make setup" not in row[3]
    ]
    assert all("no number" in row[3] for row in cells if row[0] in unnoticed)  # what changes no result may go untested


def test_versions_are_those_of_the_lock() -> None:
    headings = dict(re.findall(r"^## (\S+) (\d[\d.]+)$", PAGE, re.M))
    torch = headings.pop("torch")
    assert f"TORCH:-$(recorded torch)}}\ntorch=${{torch:-torch=={torch}}}" in (ROOT / ".ci/setup").read_text()
    said = (
        headings
        | dict(re.findall(r"^\| ([\w-]+) (\d[\d.]+\d)\b", PAGE, re.M))
        | dict(re.findall(r"^\| (jieba|HanTa|subword-nmt) ([\d.]+\d)", PAGE, re.M))
    )
    assert len(said) >= 7
    assert {name: version for name, version in said.items() if LOCKED[name.lower()] != version} == {}


def test_the_lock_is_what_fairseq_and_dvc_run_with() -> None:
    """A resolver would have to choose: hydra-core of fairseq (< 1.1) or of DVC (>= 1.1)."""
    found = {name: tuple(map(int, LOCKED[name].split(".")[:2])) for name in ("hydra-core", "omegaconf")}
    assert found["hydra-core"] >= (1, 3) and found["omegaconf"] >= (2, 3)
    assert not {"torch", "torchaudio"} & set(LOCKED)


def test_every_stage_is_one_of_a_corpus_or_study() -> None:
    """Else another study would take its entry in dvc.lock, and on the way back the stage would run again."""
    first = {name: next(iter(stage.get("matrix", {"": ""}).values())) for name, stage in DVC.items()}
    alone = {name for name, source in first.items() if source not in (["${corpus}"], ["${study}"])}
    assert alone == {"initialise", "share"}  # of the fine-tuned and decoded systems of a study, and quick


@pytest.mark.dvc
def test_bytecode_is_no_dependency() -> None:
    with Repo(str(ROOT)) as repo:
        ignored = repo.dvcignore.is_ignored_file
        assert ignored(str(ROOT / "stages" / "__pycache__" / "train.cpython-311.pyc"))
        assert not ignored(str(ROOT / "stages" / "train.py"))


@pytest.mark.process
def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    flags = [flags for out in DVC["report"]["outs"] for flags in out.values()]
    assert flags and all(one["persist"] for one in flags)
    stage = "stages: {{report: {{cmd: '{}', outs: [{{out.txt: {{persist: true}}}}]}}}}\n"
    for cmd in ("echo old > out.txt", "false"):
        (tmp_path / "dvc.yaml").write_text(stage.format(cmd))
        commands = [["init", "-q", "--no-scm"]] if not (tmp_path / ".dvc").exists() else []
        status = [
            subprocess.run([sys.executable, "-m", "dvc", *command], cwd=tmp_path, capture_output=True).returncode
            for command in (*commands, ["repro", "-q"])
        ]
        assert (status[-1] == 0) == (cmd != "false")
    assert (tmp_path / "out.txt").read_text() == "old\n"


@pytest.mark.parametrize("study", sorted(path.parent.name for path in (ROOT / "reports").glob("*/metrics.json")))
def test_every_report_has_its_provenance(study: str) -> None:
    """Its settings, and in dvc.lock what it was made from; older ones have a dvc.lock of their own."""
    kept = {path.name for path in (ROOT / "reports" / "provenance" / study).iterdir()}
    assert "params.yaml" in kept
    assert f"\n  report@{study}:\n" in (ROOT / "dvc.lock").read_text(encoding="utf-8") or "dvc.lock" in kept


def test_dvc_reports_no_usage() -> None:
    settings = configparser.ConfigParser()
    settings.read(ROOT / ".dvc" / "config")
    assert settings["core"]["analytics"] == "false"


def test_no_number_of_the_lock_is_text() -> None:
    """As PyYAML, which reads YAML 1.1, would make of 1e-08 when it writes the lock: all trainings would run again."""
    lock = (ROOT / "reports" / "provenance" / "demo" / "dvc.lock").read_text(encoding="utf-8")
    assert re.findall(r"eps: .*", lock) and not re.findall(r": '[0-9.]+e-?[0-9]+'$", lock, re.MULTILINE)
