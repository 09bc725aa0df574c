"""Kills: one line, the right status, nothing left running, and the next run goes on."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.helpers.processes import lives, wait
from tests.stages.pipeline.toy import Toy, environment

SLEEP = "sleep 300 & echo $! > {0}.below; echo $$ > {0}.pid; wait"
"""A training that starts a process of its own and never ends."""
SAVES = "trap 'sleep 0.5; echo saved > {0}.saved; exit 1' TERM; echo $$ > {0}.pid; while :; do sleep 0.1; done"
"""One that puts its work away when it is asked to stop."""
STUBBORN = "trap '' TERM; echo $$ > {0}.pid; while :; do sleep 0.1; done"


@pytest.fixture
def toy(tmp_path) -> Toy:
    return Toy(tmp_path)


def at_work(toy: Toy, a: str = SLEEP, b: str = SLEEP) -> tuple[subprocess.Popen, list[int]]:
    """A run whose systems a and b are in training, and the processes of theirs that are known."""
    toy.write(**{"a.sh": a.format("a"), "b.sh": b.format("b"), "c.sh": "true"})
    process = toy.start()
    pids = [toy.pid("a.pid"), toy.pid("b.pid")]
    pids += [toy.pid(f"{name}.below") for name, script in (("a", a), ("b", b)) if script == SLEEP]
    return process, pids


def jobs_of(process: subprocess.Popen) -> list[psutil.Process]:
    """The processes of jobs."""
    return [
        child for child in psutil.Process(process.pid).children() if "stages.pipeline.stage_process" in child.cmdline()
    ]


def finishes(toy: Toy) -> str:
    """That a run with sound trainings ends well; what it prints."""
    toy.write(**{f"{name}.sh": "true" for name in "abc"})
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.text("report") == "a\nb\nc\n"
    return answer.stdout


@pytest.mark.dvc
@pytest.mark.parametrize(
    ("number", "name", "status"), [(signal.SIGINT, "Ctrl-C", 130), (signal.SIGTERM, "SIGTERM", 143)]
)
def test_a_signal_stops_everything_at_once(toy, number, name, status):
    process, pids = at_work(toy)
    os.killpg(process.pid, number)  # as a terminal does: to the whole group of the command
    output = process.communicate(timeout=60)[0]
    assert process.returncode == status
    assert output.splitlines()[-1] == f"stopped by {name}; run again to go on from there"
    assert "Traceback" not in output and "train@c-1" not in output and "failed" not in output
    assert not any(map(lives, pids))
    entries = json.loads(toy.text(".dvc/tmp/rwlock"))
    assert not any(entries.values())
    if number == signal.SIGINT:
        assert "named" not in finishes(toy)


@pytest.mark.dvc
def test_a_second_signal_changes_nothing(toy):
    process, pids = at_work(toy, SAVES, STUBBORN)
    process.send_signal(signal.SIGINT)
    wait(lambda: Path(toy.folder, "a.saved").exists())
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 130
    assert "Traceback" not in process.stdout.read() and not any(map(lives, pids))


@pytest.mark.dvc
def test_before_anything_runs_it_is_one_line_too(toy):
    process = toy.start()
    process.stdout.readline()  # it is looking at what has changed
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130 and output == "stopped by Ctrl-C; run again to go on from there\n"
    finishes(toy)


@pytest.mark.dvc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_stage_can_put_its_work_away_whatever_ends_the_run(toy, number):
    process, pids = at_work(toy, SAVES, SAVES)
    process.send_signal(number)
    process.wait(timeout=60)
    wait(lambda: not any(map(lives, pids)))
    assert toy.text("a.saved") == toy.text("b.saved") == "saved\n"


@pytest.mark.dvc
def test_killed_runs_leave_nobody_behind_and_the_next_run_waits_for_the_last_of_them(toy):
    process, pids = at_work(toy, SLEEP, STUBBORN)
    jobs = jobs_of(process)
    process.kill()
    process.wait()
    output = finishes(toy)
    assert "waiting for the jobs of a run that was killed to stop\n" in output
    assert not any(map(lives, [*pids, *(job.pid for job in jobs)]))


@pytest.mark.dvc
@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_killed_with_their_dvc_they_leave_nobody_behind(toy, monkeypatch, shell):
    """Whether DVC's shell replaces itself by the stage's last command, as bash does, or stays above it, as dash."""
    monkeypatch.setenv("SHELL", shell)
    process, pids = at_work(toy)
    jobs = jobs_of(process)
    for one in (*jobs, process):  # jobs first, before the run's end can make them send SIGTERM
        one.kill()
    process.wait()
    wait(lambda: not any(map(lives, pids)))
    finishes(toy)


@pytest.mark.dvc
def test_a_job_whose_dvc_is_killed_has_failed_and_leaves_nobody_behind(toy):
    process, pids = at_work(toy, SLEEP, "echo $$ > {0}.pid; while ! test -e go; do sleep 0.1; done")
    victim = next(job for job in jobs_of(process) if "train@a-1" in job.cmdline())
    victim.kill()
    wait(lambda: not lives(pids[0]) and not lives(pids[2]))
    toy.write(go="")
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 1
    assert "train@a-1 failed: killed by SIGKILL, perhaps for want of memory (" in output
    assert toy.ran() == ["corpus", "score b", "score c", "train b", "train c"]
    assert "named dvc commands that are gone" not in finishes(toy)


@pytest.mark.process
def test_a_job_whose_run_is_gone_before_it_began_does_not_begin(toy):
    command = [
        sys.executable,
        "-m",
        "stages.pipeline.stage_process",
        "1",
        json.dumps(["corpus", [["touch", "ran"]], [], {}]),
        "corpus",
    ]
    answer = subprocess.run(
        command, cwd=toy.folder, env=environment(), process_group=0, capture_output=True, timeout=60
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (143, b"", b"") and toy.ran() == []


@pytest.mark.process
def test_files_of_dvc_are_written_whole_or_not_at_all(tmp_path):
    """A job is killed within its writing of each, which DVC does in place."""
    (tmp_path / "rwlock").write_text('{"read": {}}')
    (tmp_path / "dvc.lock").write_text("schema: '2.0'\n")
    code = (
        "import os, sys; from stages.pipeline.dvc import patch; from dvc import rwlock; from dvc.fs import localfs\n"
        "from dvc.utils.serialize import modify_yaml, _yaml\n"
        "patch()\n"
        "def die(data, stream, **options): stream.write('half'); stream.flush(); os._exit(9)\n"
        "if sys.argv[1] == 'rwlock':\n"
        "    rwlock.json.dump = die\n"
        "    with rwlock._edit_rwlock('.', localfs, False): pass\n"
        "else:\n"
        "    _yaml._dump = die\n"
        "    with modify_yaml('dvc.lock', fs=localfs): pass\n"
    )
    for name in ("rwlock", "dvc.lock"):
        command = [sys.executable, "-c", code, name]
        before = (tmp_path / name).read_text()
        assert subprocess.run(command, cwd=tmp_path, env=environment(), timeout=60).returncode == 9
        assert (tmp_path / name).read_text() == before
        assert (tmp_path / f".{name}.partial").read_text() == "half"


@pytest.mark.dvc
@pytest.mark.parametrize("left", ["nothing", "half"])
def test_what_a_kill_leaves_in_the_cache_of_runs_is_no_run(toy, left):
    assert toy.run().returncode == 0
    before = toy.ran()
    for entry in Path(toy.folder, ".dvc", "cache", "runs").glob("*/*/*"):
        if left == "half":
            entry.with_name(f".{entry.name}.partial").write_text("cmd: x\n")
        entry.unlink()
    Path(toy.folder, "dvc.lock").unlink()
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == before


@pytest.mark.dvc
def test_a_job_that_cannot_begin_shows_no_log_of_an_earlier_run(toy):
    assert toy.run().returncode == 0
    for entry in Path(toy.folder, ".dvc", "cache", "runs").glob("*/*/*"):
        entry.unlink()
        entry.mkdir()
    Path(toy.folder, "dvc.lock").unlink()
    answer = toy.run()
    assert answer.returncode == 1 and "Is a directory" in answer.stdout
    assert toy.text("work/logs/corpus.log").startswith("dvc: ERROR: failed to reproduce 'corpus': ")
