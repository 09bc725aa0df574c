"""Engines without a cluster: what is refused in one sentence, and what settings of a cluster become."""

import json
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.pipeline import queue
from stages.pipeline.cluster import Cluster, read_cluster
from stages.pipeline.engines import engine_of, require_no_others, slots
from tests.helpers.paths import ROOT


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_unknown_engine_is_one_sentence():
    with pytest.raises(InputError, match=r"^there is no engine sge; ENGINE is local .* or slurm$"):
        engine_of("sge")
    assert engine_of("local") is None and engine_of("slurm") is not None


def test_without_slurm_one_sentence_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InputError, match=r"^ENGINE=slurm needs .* and sbatch, squeue, scancel, scontrol"):
        queue.require_slurm()


def test_without_settings_slurms_own_hold(here):
    assert read_cluster() == Cluster() and slots("slurm", 2) == Cluster().jobs and slots("local", 2) == 2
    submission = Cluster().submission(gpus=True)
    assert "partition" not in submission and "gpus_per_node" not in submission and "mem" not in submission


def test_what_settings_become(here):
    (here / "params.local.yaml").write_text(
        "cluster: {partition: gpu, account: me, time: 90, memory: 1.5, cpus: 4, gpus: 2, constraint: a100, jobs: 7,\n"
        "  setup: [module load cuda], further: {nice: 100}}\n"
    )
    cluster = read_cluster()
    assert slots("slurm", 2) == 7
    assert cluster.submission(gpus=True) == {
        "partition": "gpu", "account": "me", "constraint": "a100", "time": 90, "mem": "1536MB", "cpus_per_task": 4,
        "gpus_per_node": 2, "setup": ["module load cuda"], "signal_delay_s": 120,
        "additional_parameters": {"requeue": True, "nice": 100},
    }  # fmt: skip
    assert "gpus_per_node" not in cluster.submission(gpus=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cluster: {partitoin: gpu}", "params.local.yaml: .*partitoin"),
        ("cluster: {time: soon}", "params.local.yaml: .*time"),
        ("cluster: {partition: 'gpu; rm'}", "params.local.yaml: .*partition"),
        ("cluster: {memory: 0.0005}", r"params.local.yaml: cluster.memory: .*0\.1 \(is 0\.0005\)"),  # 0MB: all of it
        ("cluster: {time: 2}", "params.local.yaml: cluster: warning is 120 of the 120 seconds of time; .* longer time"),
        ("seeds: [1]", "params.local.yaml: it has one key, cluster; remove seeds"),
        ("{}", "params.local.yaml: it has one key, cluster; add it"),
        ("- cluster", "params.local.yaml must be a mapping of settings"),
    ],
)
def test_wrong_settings_are_named(here, text, words):
    (here / "params.local.yaml").write_text(text)
    with pytest.raises(InputError, match=words):
        read_cluster()


def test_this_machine_runs_nothing_that_slurm_may_be_running(here):
    require_no_others("local")
    (here / "work" / "cluster" / "train_a-1").mkdir(parents=True)
    (here / "work" / "cluster" / "train_a-1" / "job.json").write_text(json.dumps({}))
    with pytest.raises(InputError, match=r"ENGINE=slurm may be at work in this folder \(train_a-1\); go on with"):
        require_no_others("local")
    require_no_others("slurm")


def test_settings_of_a_cluster_are_neither_in_git_nor_in_dvcs_hashes():
    assert "/params.local.yaml" in (ROOT / ".gitignore").read_text().splitlines()
    assert "params.local" not in (ROOT / "dvc.yaml").read_text()
