"""No name of params.yaml reaches a shell: tried with DVC itself, also where it is asked for one stage alone."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from stages.corpora.download import DOWNLOADS
from stages.files.run_directory import MANIFEST
from stages.pipeline.engines import SUBMITTED
from stages.pipeline.export import EXPORT
from stages.pipeline.packages import CHECKED
from stages.pipeline.runner import LOGS
from stages.settings.names import RESERVED, wrong_names, wrong_words
from tests.helpers import committed, tiny
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import environment, repository

HARMFUL = "a'; touch x; echo '$(touch x)"
"""Where it stands alone, in double quotes or in single ones."""
TEXTS = ("", " ", "-x", "a b", "../a", "A", "é", "a\n", "a" * 65, HARMFUL, "$(touch x)")
NONE = (None, True, 1.5, [], {}, {HARMFUL: 1}, *TEXTS)


TINY = tiny.params()


def study(**changes: Any) -> dict[str, Any]:
    small = {
        "systems": ["ba_nmt"],
        "fine_tuned": {"unmoved": "ba_nmt"},
        "decoded": {"again": "ba_nmt"},
        "also_reverse": ["ba_nmt"],
        "read_outs": ["ba_nmt"],
    }
    small |= {"smt": ["smt"], "training_sizes": ["less"], "released": {"sa_nmt": None, "moved": "ba_nmt"}}
    small |= {"released_smt": []}
    return TINY | small | changes


def poisoned(harmful: Any = HARMFUL) -> dict[str, Any]:
    """harmful: in the place of every name, text or not."""
    content = study(**dict.fromkeys(("study", "corpus", "direction", "segmentation", "run"), harmful))
    of_mappings = harmful if isinstance(harmful, str) else HARMFUL
    content |= {"decoded": {f"d{of_mappings}": harmful}}
    content |= {"fine_tuned": {f"b{of_mappings}": harmful}, "released": {f"c{of_mappings}": harmful}}
    lists = ("systems", "also_reverse", "read_outs", "smt", "training_sizes", "released_smt", "seeds")
    return content | {key: [harmful] for key in lists}


@pytest.mark.parametrize("value", NONE, ids=repr)
def test_what_is_no_name_is_refused_wherever_a_name_is_written_into_a_command(value):
    assert not list(wrong_names(study()))
    for key in ("study", "corpus", "direction", "segmentation", "run"):
        odd = {one.partition(":")[0] for one in wrong_names(study(**{key: value}))}
        assert key in odd and odd <= {key, "run"}
    for key in ("systems", "also_reverse", "read_outs", "smt", "training_sizes", "released_smt", "seeds"):
        assert [one.partition(":")[0] for one in wrong_names(study(**{key: [value]}))] == [key]
        assert [one.partition(":")[0] for one in wrong_names(study(**{key: {"a": value}}))] == [key]
    for key in ("fine_tuned", "decoded"):
        assert list(wrong_names(study(**{key: {"a": value}})))
    assert value is None or list(wrong_names(study(released={"a": value})))
    for key in ("fine_tuned", "decoded", "released"):
        assert not isinstance(value, str) or list(wrong_names(study(**{key: {value: "a"}})))
        assert list(wrong_names(study(**{key: [value]})))


@pytest.mark.parametrize("path", [CHECKED, DOWNLOADS, EXPORT, LOGS, MANIFEST, SUBMITTED], ids=str)
def test_no_corpus_has_the_name_of_what_else_lies_in_its_folder(path):
    assert path.parent == Path("work") and list(wrong_words({"corpus": path.name}))


def test_nor_that_of_what_make_and_the_benchmarks_keep_there():
    files = [ROOT / "Makefile", *(path for top in (".ci", "benchmarks") for path in (ROOT / top).rglob("*"))]
    texts = (path.read_text(encoding="utf-8") for path in files if path.suffix in ("", ".py") and path.is_file())
    there = {name for text in texts for name in re.findall(r"\bwork/([a-z][\w-]*)", text)}
    assert {"ci", "bench-smoke"} <= there
    assert there <= {*RESERVED, *committed.params()["corpora"]}


def test_every_name_that_dvc_writes_somewhere_is_looked_at():
    """A stage that runs over another list of names brings that list to the guard."""
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    written = set(re.findall(r"\$\{([^}]*)\}", text)) - {"item", "key"}
    written = {name for name in written if not name.startswith("item.")}
    assert written == {one.partition(":")[0] for one in wrong_names({})}


def project(folder: Path, content: dict[str, Any]) -> Path:
    """A study under DVC whose code is this project's."""
    for package in ("stages", "fairseq_plugins"):
        (folder / package).symlink_to(ROOT / package)
    repository(folder)
    (folder / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return folder


def dvc(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "dvc", "repro", *arguments]
    return subprocess.run(command, cwd=folder, env=environment() | {"PATH": path}, capture_output=True, text=True)


@pytest.mark.dvc
@pytest.mark.parametrize(
    ("harmful", "alone"),
    [(HARMFUL, False), (HARMFUL, True), ({HARMFUL: 1}, False)],
    ids=["text", "text, smt released", "a mapping"],
)
def test_no_shell_reads_a_name_whatever_is_asked_of_dvc(tmp_path, harmful, alone):
    """Without what they depend on, so that every stage gets as far as its command, `check` or not.

    alone: only the stage `released_smt`, whose output is that of `smt` if both have one name. A text arrives at the
    stages as it is, which refuse it; of anything else DVC makes no path, and nothing begins.
    """
    blocks = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    shells = {name: block for name, block in blocks.items() if "${" in str(block.get("do", block)["cmd"])}
    shells = {name: block for name, block in shells.items() if (name == "released_smt") == alone}
    for block in shells.values():
        block = block.get("do", block)
        block["deps"] = []
        block.pop("params", None)
    project(tmp_path, poisoned(harmful))
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": shells}, sort_keys=False), encoding="utf-8")
    answer = dvc(tmp_path, "--keep-going")
    assert answer.returncode != 0 and not (tmp_path / "x").exists()
    if isinstance(harmful, str):
        assert answer.stdout.count("Running stage") == len(shells)
        assert "error: params.yaml: study: " in answer.stderr  # of the guard; where seeds are none, argparse says it
    else:
        assert "Cannot interpolate data" in answer.stderr and "Running stage" not in answer.stdout


@pytest.mark.dvc
def test_all_of_it_is_refused_at_the_first_stage(tmp_path):
    project(tmp_path, study(corpus="$(touch x)"))
    for name in ("dvc.yaml", "requirements.lock"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    answer = dvc(tmp_path)
    assert answer.returncode != 0 and "error: params.yaml: corpus: '$(touch x)' is not below corpora" in answer.stderr
    assert "Running stage 'check@tiny'" in answer.stdout and answer.stdout.count("Running stage") == 1
    assert not (tmp_path / "x").exists()
