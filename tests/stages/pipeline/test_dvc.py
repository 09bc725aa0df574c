"""DVC that is quicker with its lock file: the same answers and the same files."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dvc.fs import localfs
from dvc.output import Output
from dvc.utils.serialize import dumps_yaml, parse_yaml

from stages.pipeline import dvc as quick
from stages.pipeline.dvc import Entries, parse, parse_for_update, write
from stages.pipeline.graph import Pipeline
from stages.pipeline.lock_text import HEAD
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import repository

STUDY = """stages:  # a comment
  first:
    cmd: echo 0123 > one
    outs: [one]
  second:
    cmd: cp one two
    deps: [one]
    outs: [two]
"""


def run(module: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DVC_NO_ANALYTICS": "1"}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def written(data: dict) -> str:
    stream = io.StringIO()
    write(data, stream)
    return stream.getvalue()


def test_what_is_read_is_written_as_dvc_wrote_it():
    whole = (ROOT / "reports" / "provenance" / "demo" / "dvc.lock").read_text(encoding="utf-8")
    assert written(parse_for_update(whole, "dvc.lock")) == whole
    head, *entries = re.split(r"(?m)^(?=  \S)", whole)
    text = head + "".join(entries[::10])  # DVC's own parser and writer take their time
    data = parse_for_update(text, "dvc.lock")
    assert isinstance(data["stages"], Entries) and len(data["stages"]) > 10
    assert data["stages"] == parse_yaml(text, "dvc.lock")["stages"]
    assert written(data) == text
    data["stages"].update(dict(data["stages"]))  # every entry written anew
    assert written(data) == text


FORMS = {
    "  a:\n    cmd: x\n  b@c-1:\n    cmd: y\n": True,
    "  a:\n    cmd: x y\n      z\n    params:\n      p.yaml:\n        q: |-\n          r\n\n          s\n": True,
    "  a:\n    cmd: x\n  # b\n  b:\n    cmd: y\n": False,
    "  a:\n    cmd: x\n  'b':\n    cmd: y\n": False,
    "  a:\n    cmd: x\n  b: {cmd: y}\n": False,
    "  a:\n    cmd: x\ndatasets: []\n": False,
    "  a:\n    cmd: x": False,
}
FORMS = {f"schema: '2.0'\nstages:\n{form}": cut for form, cut in FORMS.items()} | {
    "# here\nschema: '2.0'\nstages:\n  a:\n    cmd: x\n": False,
    "schema: '2.0'\ndatasets: []\nstages:\n  a:\n    cmd: x\n": False,
    "": False,
}


@pytest.mark.parametrize(("text", "cut"), FORMS.items())
def test_files_in_another_form_are_parsed_whole(text, cut):
    data = parse_for_update(text, "dvc.lock")
    assert isinstance(data.get("stages"), Entries) == cut
    assert data == parse_yaml(text, "dvc.lock")
    if data:
        expected = parse_yaml(text, "dvc.lock")
        for stages in (data["stages"], expected["stages"]):
            for name in ("new@x-1", "a"):
                stages[name] = {"cmd": "new", "outs": [{"path": "o", "size": 1}]}
        assert written(data) == dumps_yaml(expected)


def test_what_params_have_in_two_places_is_spelt_out():
    """DVC itself numbers anchors through the whole file; entries that are written one by one would repeat them."""
    data = parse_for_update(HEAD + "  a:\n    cmd: x\n  b:\n    cmd: y\n", "dvc.lock")
    shared = {"lr": 0.5}
    for name in ("a", "b"):
        data["stages"][name] = {"cmd": name, "params": {"params.yaml": {"one": shared, "two": [shared]}}}
    text = written(data)
    assert "&" not in text and "*" not in text
    assert parse_yaml(text, "dvc.lock")["stages"]["b"]["params"]["params.yaml"] == {"one": shared, "two": [shared]}


def test_other_files_keep_their_comments():
    assert "# a comment" in dumps_yaml(parse_for_update(STUDY, "dvc.yaml"))


@pytest.mark.dvc
def test_the_same_lock_file_stage_by_stage(tmp_path):
    locks = {}
    for module in ("dvc", "stages.pipeline.dvc"):
        folder = tmp_path / module
        folder.mkdir()
        (folder / "dvc.yaml").write_text(STUDY)
        repository(folder)
        for stage in ("first", "second"):
            assert run(module, folder, "repro", "-q", "-s", stage).returncode == 0
        locks[module] = (folder / "dvc.lock").read_text()
    assert locks["stages.pipeline.dvc"] == locks["dvc"] and "second" in locks["dvc"]


@pytest.mark.dvc
@pytest.mark.parametrize(("spot", "kept"), [("    cmd: echo", True), ("schema:", False)])
def test_it_is_in_use(tmp_path, spot, kept):
    """The text of another stage stays, a comment of somebody's included; parsed in C, the file loses it."""
    (tmp_path / "dvc.yaml").write_text(STUDY)
    repository(tmp_path)
    assert run("dvc", tmp_path, "repro", "-q", "-s", "first").returncode == 0
    lock = tmp_path / "dvc.lock"
    indentation = spot[: len(spot) - len(spot.lstrip())]
    lock.write_text(lock.read_text().replace(spot, f"{indentation}# a comment\n{spot}"))
    assert run("stages.pipeline.dvc", tmp_path, "repro", "-q", "-s", "second").returncode == 0
    text = lock.read_text()
    assert ("# a comment" in text) == kept and "second" in text


def test_a_text_is_parsed_once_for_callers_that_change_it(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "stages.pipeline.dvc.parse_yaml", lambda text, path: asked.append(text) or parse_yaml(text, path)
    )
    first = parse("a: {b: [1]}", "params.yaml")
    first["a"]["b"].append(2)
    assert parse("a: {b: [1]}", "params.yaml") == {"a": {"b": [1]}} and len(asked) == 1
    assert parse("a: {b: [3]}", "params.yaml") == {"a": {"b": [3]}} and len(asked) == 2


@pytest.mark.dvc
def test_dvc_parses_a_file_once_for_all_stages(tmp_path):
    """DVC's own status asks for params.yaml at every stage."""
    (tmp_path / "params.yaml").write_text("p: 1\n")
    stages = "".join(f"  s{k}: {{cmd: echo {k}, params: [p]}}\n" for k in range(5))
    (tmp_path / "dvc.yaml").write_text(f"stages:\n{stages}")
    repository(tmp_path)
    assert run("dvc", tmp_path, "repro", "-q").returncode == 0
    count = (
        "import runpy, ruamel.yaml as y; load = y.YAML.load; texts = []\n"
        "y.YAML.load = lambda self, text: texts.append(text) or load(self, text)\n"
        "try: runpy.run_module('{}', run_name='__main__', alter_sys=True)\n"
        "finally: print(texts.count('p: 1\\n'), 'times')"
    )
    answers = {}
    for module in ("dvc", "stages.pipeline.dvc"):
        environment = os.environ | {"PYTHONPATH": str(ROOT), "DVC_NO_ANALYTICS": "1"}
        command = [sys.executable, "-c", count.format(module), "status", "--json"]
        answers[module] = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    (said, times), (said_by_dvc, times_by_dvc) = (answers[m].splitlines() for m in ("stages.pipeline.dvc", "dvc"))
    assert said == said_by_dvc == "{}"
    assert int(times.split()[0]) <= 2 and int(times_by_dvc.split()[0]) >= 5  # two: by its two names for the file


@pytest.mark.dvc
def test_a_look_sums_a_path_once_and_the_next_one_again(tmp_path, monkeypatch):
    """A folder that many stages read took most of a status; an edit between two looks is seen."""
    stages = "".join(f"  s{k}: {{cmd: echo {k}, deps: [read]}}\n" for k in range(3))
    (tmp_path / "dvc.yaml").write_text(f"stages:\n{stages}")
    (tmp_path / "read").mkdir()
    (tmp_path / "read" / "one").write_text("1")
    repository(tmp_path)
    assert run("dvc", tmp_path, "repro", "-q").returncode == 0
    monkeypatch.chdir(tmp_path)
    summed, build = [], Output._build

    def counted(self: Output, *arguments: Any, **options: Any) -> Any:
        summed.append(self)
        return build(self, *arguments, **options)

    monkeypatch.setattr(Output, "_build", counted)
    pipeline, names = Pipeline(), ["s0", "s1", "s2"]
    assert pipeline.changed(names, print) == [] and len(summed) == 1
    (tmp_path / "read" / "two").write_text("2")
    assert pipeline.changed(names, print) == names and len(summed) == 2


@pytest.mark.dvc
def test_a_spoiled_lock_file_is_one_error(tmp_path):
    (tmp_path / "dvc.yaml").write_text(STUDY)
    repository(tmp_path)
    (tmp_path / "dvc.lock").write_text("stages: [")
    answers = [run(module, tmp_path, "repro", "-s", "first") for module in ("dvc", "stages.pipeline.dvc")]
    assert [answer.returncode for answer in answers] == [255, 255]
    assert answers[0].stderr == answers[1].stderr and "dvc.lock" in answers[0].stderr


@pytest.mark.parametrize(
    "keys", [["a"], ["a.b"], ["c.0"], ["d.1"], ["a.x"], ["a.*"], ["e"], ["a.b", "e", "a.x", "c.0"]]
)
def test_keys_are_found_as_dvc_finds_them(tmp_path, keys):
    path = tmp_path / "params.yaml"
    path.write_text("a: {b: {c: 1}}\nc: [7, 8]\nd: {1: one}\ne:\n")
    expected = quick._read_param_file(localfs, str(path), keys, flatten=True)
    found = quick.read_param_file(localfs, str(path), keys, flatten=True)
    assert found == expected and list(found) == list(expected)
    assert quick.read_param_file(localfs, str(path)) == quick._read_param_file(localfs, str(path))
