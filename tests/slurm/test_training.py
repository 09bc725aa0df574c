"""A real training on Slurm, told to stop in its midst: the report is that of this machine, but for times."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.attack import study
from tests.attack.outputs import differences
from tests.attack.study import ROW, Checkout
from tests.helpers.processes import wait

JOB = f"train@{study.STUDY}-forward-bpe-{ROW}-1"

SETTINGS = "cluster: {partition: all, time: 30, poll: 1}\n"


def settings() -> dict[str, Any]:
    """The study of the attacks, with one system alone and a training that lasts some seconds."""
    content = study.params()
    chosen = {"fine_tuned": {}, "also_reverse": [], "smt": []}
    for corpus in content["corpora"].values():
        corpus["training"] |= {"max_epoch": 15, "patience": 0, "save_seconds": 999}
    content |= {"variants": {ROW: content["variants"][ROW]}, "titles": {}}
    content["studies"][study.STUDY] |= chosen
    return content | chosen


@pytest.fixture
def checkout(cluster, tmp_path) -> Checkout:
    """Brought up to date on this machine."""
    checkout = Checkout(tmp_path / "checkout")
    checkout.make(settings())
    answer = checkout.run()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return checkout


@pytest.mark.slurm
def test_a_training_that_slurm_stops_in_its_midst_ends_in_the_same_tables(cluster, checkout):
    expected = checkout.contents()
    forget_training(checkout.folder)
    (checkout.folder / "params.local.yaml").write_text(SETTINGS, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "stages.pipeline", "--engine", "slurm"], cwd=checkout.folder,
        env=study.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        wait(lambda: "epoch 2/" in log(checkout.folder), 120)
        cluster.warn(JOB)
        output = process.communicate(timeout=300)[0]
    finally:
        process.kill()
    assert process.returncode == 0, output
    assert output.count(f"{ROW}-1: stopped by SIGTERM and saved") == 1
    assert log(checkout.folder).count("epoch 2/") == 1  # it went on from there
    found = {name: content for name, content in checkout.contents().items() if not name.startswith("work/cluster/")}
    assert differences(found, expected) == []
    assert checkout.run().stdout.startswith("looking at what has changed\nEverything is up to date.\n")


def forget_training(folder: Path) -> None:
    """As if the system had never been trained: it and all that is made of it is to be made anew."""
    (models,) = folder.glob("work/*/*/models")
    for made in (models, models.parent / "translations", models.parent / "scores", folder / "reports"):
        shutil.rmtree(made)
    shutil.rmtree(folder / ".dvc" / "cache" / "runs")
    lock = yaml.safe_load((folder / "dvc.lock").read_text(encoding="utf-8"))
    after = ("train@", "evaluate@", "score@", "report@")
    lock["stages"] = {name: entry for name, entry in lock["stages"].items() if not name.startswith(after)}
    (folder / "dvc.lock").write_text(yaml.safe_dump(lock, sort_keys=False, width=1000), encoding="utf-8")


def log(folder: Path) -> str:
    """What the job has printed so far."""
    return "".join(path.read_text(encoding="utf-8") for path in folder.glob(f"work/cluster/{JOB}/*/*.out"))
