"""Runs on a real Slurm of three nodes: the same results as on this machine, whatever is killed."""

import os
import shutil
import signal
from pathlib import Path

import pytest
import yaml

from tests.helpers.processes import wait
from tests.stages.pipeline.toy import Toy

pytestmark = pytest.mark.slurm

COUNTS = (
    "n=$(cat {0}.saved 2>/dev/null || echo 0); trap 'echo $n > {0}.saved; echo saved at $n; exit 1' TERM; "
    "while [ $n -lt {1} ]; do n=$((n+1)); sleep 0.1; done; echo counted to $n"
)
"""A training of that many tenths of a second that puts its work away when it is told to, and goes on from there."""

WAITS = "echo $SLURMD_NODENAME >> {0}.nodes; while ! test -e {0}.go; do sleep 0.2; done"


def test_an_outage_a_limit_of_time_and_a_killed_runner_change_nothing(cluster, toy, tmp_path_factory):
    """a's node dies, b takes longer than jobs may, and the runner is killed while both are at work."""
    here = Toy(tmp_path_factory.mktemp("here"))
    scripts = {"a.sh": WAITS.format("a"), "b.sh": COUNTS.format("b", 620), "c.sh": "true"}
    here.write(**scripts, **{"a.go": "", "b.saved": "619"})
    toy.write(**scripts)
    assert here.run().returncode == 0

    first = toy.start(slots=3, engine="slurm")
    nodes, saved = Path(toy.folder, "a.nodes"), Path(toy.folder, "b.saved")
    wait(nodes.exists, 120)
    died = cluster.node("train@a-1")
    cluster.script("kill", died)
    first.send_signal(signal.SIGKILL)
    first.wait()

    second = toy.start(slots=3, engine="slurm")
    wait(lambda: len(nodes.read_text().split()) == 2, 180)
    assert nodes.read_text().split()[0] == died != nodes.read_text().split()[1]
    toy.write(**{"a.go": ""})
    output = second.communicate(timeout=400)[0]
    assert second.returncode == 0, output
    assert "train@a-1 is job " in output and "of Slurm since an earlier run; its log: " in output
    assert sorted(cluster.jobs()) == ["corpus", "report", "train@a-1", "train@b-1", "train@c-1"]
    assert saved.exists() and output.count("saved at ") >= 2
    assert toy.ran() == here.ran()
    for name in ("report", "a.model", "b.score"):
        assert toy.text(name) == here.text(name)
    assert yaml.safe_load(toy.text("dvc.lock")) == yaml.safe_load(
        here.text("dvc.lock")
    )  # its order is that of the ends
    assert toy.run().stdout.endswith("nothing to do\n")
    cluster.script("node", died)


def test_what_fails_three_times_is_reported_and_stops_no_more_than_depends_on_it(cluster, toy):
    toy.write(**{"a.sh": "echo out of luck >&2; exit 3"})
    answer = toy.run(slots=3, engine="slurm")
    assert answer.returncode == 1
    assert toy.ran() == ["corpus", "score b", "score c", "train b", "train c"]
    for attempt in (1, 2):
        assert f"train@a-1 failed at attempt {attempt} of 3: failed to run: sh a.sh, exited with 3" in answer.stdout
    *_, error = answer.stdout.partition("\nerror: ")
    assert error.startswith("train@a-1 failed; the end of work/cluster/train@a-1/")
    assert "  | out of luck\n" in error and "exited with 3\n" in error
    assert "\nnot begun because of that: report\n" in error and "Traceback" not in answer.stdout
    assert cluster.jobs().count("train@a-1") >= 3


def test_ctrl_c_leaves_jobs_to_the_next_run(cluster, toy):
    toy.write(**{"a.sh": WAITS.format("a")})
    process = toy.start(slots=3, engine="slurm")
    wait(Path(toy.folder, "a.nodes").exists, 120)
    os.killpg(process.pid, signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130
    assert "jobs go on in Slurm, and the next run finds them; `scancel " in output.splitlines()[-2]
    toy.write(**{"a.go": ""})
    answer = toy.run(slots=3, engine="slurm")
    assert answer.returncode == 0, answer.stdout
    assert toy.text("a.nodes").count("\n") == 1, output + answer.stdout


def test_settings_that_slurm_refuses_are_one_sentence(cluster, toy):
    toy.write(**{"params.local.yaml": "cluster: {partition: nowhere}"})
    answer = toy.run(engine="slurm")
    assert answer.returncode == 1 and answer.stdout.count("\n") == 1
    assert answer.stdout.startswith("error: Slurm refuses the settings of jobs: ")
    assert "invalid partition" in answer.stdout.lower() and toy.ran() == []


def test_a_controller_that_does_not_answer_is_one_sentence(cluster, toy, tmp_path, monkeypatch):
    text = Path(os.environ["SLURM_CONF"]).read_text()
    port = next(line for line in text.splitlines() if line.startswith("SlurmctldPort"))
    (tmp_path / "slurm.conf").write_text(text.replace(port, "SlurmctldPort=9\nMessageTimeout=2"))
    monkeypatch.setenv("SLURM_CONF", str(tmp_path / "slurm.conf"))
    answer = toy.run(engine="slurm")
    assert answer.returncode == 1 and answer.stdout.startswith("error: Slurm does not answer: ")
    assert answer.stdout.count("\n") == 1 and shutil.which("sbatch")
