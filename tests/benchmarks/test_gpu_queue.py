"""The queue of a GPU: its list, its order, how it stops and goes on, and all of it once in the smoke form on a CPU."""

import json
import os
import re
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from benchmarks.gpu.parts import PARTS
from benchmarks.gpu.queue import __main__ as command
from benchmarks.gpu.queue import left, results, side_by_side
from benchmarks.gpu.queue.items import Item, archive, items, settings, trainings
from stages.files.errors import InputError
from stages.releasing.results_file import read_results
from stages.releasing.training import Training
from stages.reporting.claims.plans import read_plans
from stages.settings.study_run import study_run
from stages.settings.systems import study_systems
from stages.settings.variants import training_sections, training_settings
from stages.training.device import Gpu, training_here
from tests.helpers.paths import ROOT

TRAINED = {name: item for name, item in items(smoke=False).items() if item.study}


def test_the_graphs_come_first_and_no_command_takes_more_than_ten_minutes():
    there = items(smoke=False)
    assert next(iter(there)) == "graphs"
    seconds = {part.name: part.seconds for part in PARTS}
    for item in there.values():
        assert sum(seconds[part] for part in item.parts) <= 570
    assert {part for item in there.values() for part in item.parts} == set(seconds)


@pytest.mark.parametrize("name", TRAINED)
def test_every_system_of_an_item_has_settings(name):
    content = settings(TRAINED[name], smoke=False)
    study = study_systems(content)
    wanted = list(trainings(TRAINED[name], study))
    assert wanted and len(wanted) == len(set(wanted))
    for system in {one.variant for one in wanted}:
        training_settings(study.corpus, system, content, fine_tuned=system in study.fine_tuned)


def test_a_base_is_trained_before_what_is_fine_tuned_from_it():
    systems = ["rnnsearch_star", "rnnsearch_star_continued", "bridging_direct"]
    item = Item(why="x", study="multi30k-de-en", systems=systems, seeds=[4, 5, 6, 7, 8])
    study = study_systems(settings(item, smoke=False))
    wanted = list(trainings(item, study))
    assert [one.seed for one in wanted[:3]] == [4, 4, 4] and wanted[0].variant == "rnnsearch_star"
    assert len(wanted) == 15 and study.seeds == [1, 2, 3, 4, 5, 6, 7, 8]  # attention is kept of the study's first seed


@pytest.mark.parametrize("name", [name for name, item in TRAINED.items() if item.seeds])
def test_seeds_are_added_by_a_plan(name):
    item = TRAINED[name]
    plans = [one for one in read_plans().values() if item.study in one.studies and one.seeds == item.seeds]
    assert any(set(item.systems) <= set(plan.systems) for plan in plans)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "write either parts or study"),
        ({"parts": ["speed"], "study": "demo"}, "write either parts or study"),
        ({"parts": ["sped"]}, "there is no part sped"),
    ],
)
def test_an_item_is_of_one_kind(keys, said):
    with pytest.raises(ValueError, match=said):
        Item(why="x", **keys)


def test_a_system_that_the_study_does_not_train_is_named():
    with pytest.raises(InputError, match="study multi30k-en-de does not train gatt"):
        settings(Item(why="x", study="multi30k-en-de", systems=["gatt", "ba_nmt"]), smoke=False)


# Side by side

SCRIPT = """
import os, pathlib, signal, sys, time
variant, seed, folder = sys.argv[1:]
log = open(folder + "/order", "a")
def stop(number, frame):
    print(variant, seed, "saves", file=log, flush=True)
    sys.exit(143)
signal.signal(signal.SIGTERM, stop)
print(variant, seed, "begins", file=log, flush=True)
if variant == "sleeps":
    time.sleep(60)
if variant == "fails":
    sys.exit("the disk is full")
time.sleep(0.3)
print(variant, seed, "ends", file=log, flush=True)
pathlib.Path(f"{variant}-{seed}.tar.xz").touch()
"""


@pytest.fixture
def run(monkeypatch, tmp_path):
    """A function that runs trainings of which a script stands for each; returns failures, and the script's log."""

    def start(training: Training) -> subprocess.Popen:
        log = (tmp_path / "logs" / f"{side_by_side.name_of(training)}.log").open("a")
        given = [training.variant, str(training.seed), str(tmp_path)]
        return subprocess.Popen([sys.executable, "-c", SCRIPT, *given], stderr=log, stdout=log)

    def run(*names: str, jobs: int = 4, seconds: float = 60.0):
        wanted = [Training(name, 1) for name in names]
        failed = side_by_side.run(study, wanted, jobs, seconds + side_by_side.GRACE)
        return failed, (tmp_path / "order").read_text().splitlines()

    item = Item(why="x", study="multi30k-de-en")
    study = study_systems(settings(item, smoke=False))
    monkeypatch.setattr(side_by_side, "_start", start)
    monkeypatch.setattr(side_by_side, "archive", lambda study, one: Path(f"{one.variant}-{one.seed}.tar.xz"))
    monkeypatch.chdir(tmp_path)
    return run


@pytest.mark.process
def test_two_that_need_one_base_are_not_made_at_once(run):
    failed, order = run("rnnsearch_star", "bridging_direct", "ba_nmt")
    assert not failed
    assert order.index("rnnsearch_star 1 ends") < order.index("bridging_direct 1 begins")
    assert order.index("ba_nmt 1 begins") < order.index("bridging_direct 1 begins")


@pytest.mark.process
def test_one_that_fails_costs_itself(run):
    failed, order = run("fails", "ba_nmt", jobs=1)
    assert failed == ["fails-1: status 1: the disk is full"] and "ba_nmt 1 ends" in order


@pytest.mark.process
def test_at_the_end_of_the_time_all_save_and_nothing_new_begins(run):
    began = time.monotonic()
    failed, order = run("sleeps", "ba_nmt", jobs=1, seconds=2.0)
    assert (failed, order) == ([], ["sleeps 1 begins", "sleeps 1 saves"])
    assert time.monotonic() - began < side_by_side.GRACE


# The command

RESTRICTED = """
import sys
from importlib.metadata import packages_distributions, requires
needed = {line.strip() for line in open("benchmarks/gpu/requirements.txt")} | {"torch", "attention-variants"}
for name in requires("torch"):
    needed.add(name.partition(";")[0].split("=")[0].split("<")[0].split(">")[0].split("[")[0].strip(" !~"))
needed |= {"mpmath", "markupsafe", "pip"}
plain = lambda name: name.lower().replace("_", "-").replace(".", "-")
needed = {plain(name) for name in needed}
others = {top for top, of in packages_distributions().items() if not needed & {plain(name) for name in of}}
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in others:
            raise ModuleNotFoundError(f"no {name} there", name=name)
sys.meta_path.insert(0, Refuse())
import benchmarks.gpu.queue.__main__, benchmarks.gpu.queue.training
from stages.training import initial, loop, run, saves, supervision
from stages.translating import evaluation, load
from stages.scoring import system
from fairseq_plugins import registry
registry.register_all()
import benchmarks.gpu.aims, benchmarks.gpu.parity, benchmarks.gpu.speed, benchmarks.gpu.training
import tests.fairseq_plugins.core.test_graphs
print(len(others))
"""


@pytest.mark.process
def test_a_training_needs_no_more_than_the_bare_machine_is_given():
    done = subprocess.run(
        [sys.executable, "-c", RESTRICTED], cwd=ROOT, capture_output=True, text=True,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


def test_the_list(queue, capsys):
    queue()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(items(smoke=False))
    assert "seeds-hansards: 10 left; " in "\n".join(lines)


def test_what_is_not_prepared_or_not_there(queue, monkeypatch):
    monkeypatch.setattr(command, "missing", lambda: None)
    with pytest.raises(
        InputError, match=r"words is not prepared; run `python -m benchmarks\.gpu\.queue prepare words`"
    ):
        queue("next", "words")
    with pytest.raises(InputError, match="there is no item word "):
        queue("next", "word")


@pytest.fixture
def pages(monkeypatch, tmp_path):
    """A function that writes a gpu.json with these parts, elsewhere."""

    def write(parts: dict) -> Path:
        (tmp_path / "gpu.json").write_text(json.dumps({"parts": parts}))
        (tmp_path / "gpu.md").write_text("# On a GPU")
        return tmp_path

    for module in (command, left):
        monkeypatch.setattr(module, "PAGES", tmp_path)
    write({})
    return write


def test_a_part_that_fails_holds_up_nothing_behind_it(queue, monkeypatch, pages, tmp_path, capsys):
    """It is done at its commit, and left at another one; what has passed is done. Pages are copied."""
    ran, found, at = [], {}, {"commit": "a"}

    def make_gpu(command: list[str], cwd: Path) -> SimpleNamespace:
        ran.append(command[command.index("--parts") + 1 :])
        of = [part for part in ran[-1] if part in {one.name for one in PARTS}]
        pages(found | {part: at | {"failure": "x" if part == "parity" else None} for part in of})
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(left, "now_and_commit", lambda: at)
    monkeypatch.setattr(command, "missing", lambda: None)
    monkeypatch.setattr(command.subprocess, "run", make_gpu)
    with pytest.raises(SystemExit) as end:
        queue("next", "--mps", "1", "--out", str(tmp_path / "out"))
    assert end.value.code == 1 and ran == [["kernels", "waiting_tests", "parity", "--mps", "1"]]
    assert sorted(os.listdir(tmp_path / "out")) == ["gpu.json", "gpu.md"]
    queue()
    assert "graphs: nothing left (parity failed); " in capsys.readouterr().out
    found = left.found_of_parts()
    with pytest.raises(SystemExit):
        queue("next")
    assert ran[1] == ["aims"]
    at["commit"], found = "b", left.found_of_parts()
    with pytest.raises(SystemExit):
        queue("next")
    assert ran[2] == ["kernels", "waiting_tests", "parity"]


def ended(failure: str | None = None, **found) -> dict:
    return {"failure": failure, "found": {"failure": failure, **found}}


TEST = "tests/fairseq_plugins/core/test_wrong_graphs.py::test_x"


@pytest.mark.parametrize(
    ("parts", "fail"),
    [
        ({}, False),
        ({"waiting_tests": ended(failures={}), "parity": ended(systems=[{"failure": None}])}, False),
        ({"waiting_tests": ended("1 of 9 tests fail", failures={"tests/kernels/test_triton.py::test_x": ""})}, False),
        ({"waiting_tests": ended("1 of 9 tests fail", failures={TEST: ""})}, True),
        ({"parity": ended("x differ or fail", systems=[{"failure": "CUDA graphs were switched off: why"}])}, True),
        ({"parity": ended("x differ or fail", systems=[{"failure": "graphs differs by 1.0e-02"}])}, True),
        ({"parity": ended("x differ or fail", systems=[{"failure": "fp32 differs by 1.0e-02"}])}, False),
        ({"waiting_tests": ended(failures={}) | {"failure": "stopped after its 9 seconds"}}, True),
        ({"waiting_tests": {"failure": "it said nothing", "found": None}}, True),
        ({"kernels": {"failure": "it said nothing", "found": None}}, False),
    ],
)
def test_when_graphs_are_not_trusted(pages, parts, fail):
    pages(parts)
    assert left.graphs_fail() == fail


@pytest.mark.parametrize(("asked", "fail"), [([], False), (["--mps", "1"], True)])
def test_how_trainings_share_the_gpu(queue, monkeypatch, pages, tmp_path, asked, fail):
    """By MPS if that is asked for, and with graphs unless their tests fail."""
    wanted, trained = [], []
    pages({"waiting_tests": ended("1 of 9 tests fail", failures={TEST: ""})} if fail else {})
    monkeypatch.setattr(command, "shared_if_possible", lambda asked: wanted.append(asked) or nullcontext())
    monkeypatch.setattr(command, "missing", lambda: None)
    monkeypatch.setattr(side_by_side, "run", lambda study, *of: trained.append(study_run(study.study)) or [])
    folder = tmp_path / "work/gpu-queue/words"
    folder.mkdir(parents=True)
    (folder / "commit").touch()
    (folder / "params.yaml").write_text(yaml.safe_dump(settings(TRAINED["words"], smoke=False)))
    with pytest.raises(SystemExit) as end:
        queue("next", "words", *asked)
    assert end.value.code == 0 and wanted == [bool(asked)]
    sections = training_sections("hansards-en-fr-words", "rnnsearch_star", trained[0].content)
    here = training_here(sections, Gpu("NVIDIA H200", 2**37, (9, 0))).settings
    assert (here.cuda_graphs, here.length_multiple) == ((False, 1) if fail else (True, 8))


@pytest.mark.training
def test_the_smoke_form(queue, tmp_path, capfd, monkeypatch):
    """Prepared, packed; in the packed tree, which has no reports, trained, stopped by the clock, gone on with; and back
    where a release would be."""
    tree, out = tmp_path / "tree", tmp_path / "out"

    def beside_the_gpu(*arguments: str) -> str:
        command = [sys.executable, "-m", "benchmarks.gpu.queue", *arguments]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(tree)}
        return subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    queue("prepare", "--smoke")
    queue("pack", "--smoke", "--to", str(tree))
    assert f"{tree}: " in capfd.readouterr().out and not (tree / "reports").exists()
    said = beside_the_gpu("next", "--smoke", "--jobs", "1", "--seconds", str(side_by_side.GRACE + 3))
    assert re.search(r"smoke: [0-3] of 4 are done", said) and "stopped, goes on next time" in said
    said = beside_the_gpu("next", "--smoke", "--jobs", "2", "--seconds", "500", "--out", str(out))
    assert "smoke: 4 of 4 are done" in said and os.listdir(out) == ["part-1.tar"]
    assert beside_the_gpu("next", "--smoke") == "nothing is left\n"
    monkeypatch.setattr(results, "ROOT", tmp_path / "home")
    queue("unpack", str(out))
    study = study_systems(settings(items(smoke=True)["smoke"], smoke=True))
    for training in (Training("rnnsearch_star", 2), Training("rnnsearch_star_continued", 1)):
        about, files = read_results(tmp_path / "home" / archive(study, training))
        assert (about["variant"], about["seed"], about["translations"]) == (*training, training.seed == 1)
        assert {"training.json", "curve.csv", "scores.json"} < set(files)
        assert "translations/test.jsonl" in files and not any(name.endswith(".pt") for name in files)
