"""One run at a time, and what killed DVC commands leave behind."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys

import pytest

from stages.files.errors import InputError
from stages.pipeline.dvc_processes import clear, require_none
from stages.pipeline.lock import only_run
from tests.helpers.processes import wait
from tests.stages.pipeline.toy import STUDY, Toy

CLEARED = "was unreadable, as a killed dvc command leaves it: cleared it"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_second_run_says_who_runs_since_when(here):
    said = []
    with only_run(here / "lock", said.append):
        expected = (
            rf"another run is at work in this folder: pid {os.getpid()}, since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d; wait"
        )
        with pytest.raises(InputError, match=expected), only_run(here / "lock", said.append):
            pass
    with only_run(here / "lock", said.append):
        pass
    assert said == []


def test_what_a_killed_run_left_is_waited_for(here, monkeypatch):
    """Its jobs hold the lock although it is gone itself."""
    monkeypatch.setattr("stages.pipeline.lock.PATIENCE", 0.5)
    for pid in (os.getpid(), 2**22 + 1):
        (here / "lock").write_text(json.dumps({"pid": pid, "since": 1.0, "host": os.uname().nodename}))
        with open(here / "lock") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            said = []
            with pytest.raises(InputError, match="do not stop"), only_run(here / "lock", said.append):
                pass
        assert said == ["waiting for the jobs of a run that was killed to stop"]
    with only_run(here / "lock", said.append):
        pass


def test_a_run_on_another_machine_is_named_at_once(here):
    (here / "lock").write_text(json.dumps({"pid": 2**22 + 1, "since": 1.0, "host": "node7"}))
    with open(here / "lock") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        expected = f": on node7, pid {2**22 + 1}, since .*; wait .* or stop it there with `kill {2**22 + 1}`$"
        with pytest.raises(InputError, match=expected), only_run(here / "lock", print):
            pass


@pytest.mark.parametrize("text", ["", '{"write": {"a": {"pi', "[]", '{"write": {"a": {"pid": "x"}}}'])
def test_half_a_file_of_entries_is_cleared_and_said(here, text):
    (here / "rwlock").write_text(text)
    found = clear(here, print)
    assert found.cleared == f"{here}/rwlock {CLEARED}" and found.live == {}
    assert json.loads((here / "rwlock").read_text()) == {}
    assert clear(here, print).cleared == ""


def entries(pid: int, command: str) -> dict:
    info = {"pid": pid, "cmd": command}
    return {"write": {"/out": info}, "read": {"/dep": [info]}}


def sleeping(*words: str, **options) -> subprocess.Popen:
    """A process that lives, with these words at the end of its command line."""
    process = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); import time; time.sleep(300)", *words],
        stdout=subprocess.PIPE,
        **options,
    )
    process.stdout.readline()
    return process


@pytest.mark.process
@pytest.mark.parametrize(
    ("case", "stays"),
    [("its own", True), ("another command", False), ("another folder", False), ("began later", False)],
)
def test_the_next_owner_of_a_pid_is_known_from_the_one_that_wrote(here, tmp_path_factory, case, stays):
    folder = tmp_path_factory.mktemp("elsewhere") if case == "another folder" else here
    process = sleeping("repro", "-s", "train@a-1" if case != "another command" else "other", cwd=folder)
    try:
        path = here / "rwlock"
        path.write_text(json.dumps(entries(process.pid, "/bin/dvc repro -s train@a-1")))
        if case == "began later":
            os.utime(path, (1e9, 1e9))
        found = clear(here, print)
        assert (process.pid in found.live) == stays
        assert bool(found.cleared) != stays
        if stays:
            assert json.loads(path.read_text()) == entries(process.pid, "/bin/dvc repro -s train@a-1")
            with pytest.raises(
                InputError, match=rf"a dvc command is at work in this folder \(pid {process.pid}: /bin/dvc"
            ):
                require_none(found)
        else:
            assert found.cleared.endswith(f"named dvc commands that are gone (pid {process.pid}): removed them")
            assert not any(json.loads(path.read_text()).values())
            require_none(found)
    finally:
        process.kill()
        process.wait()


@pytest.mark.process
def test_entries_of_the_dead_go_and_those_of_the_living_stay(here):
    process = sleeping("status", cwd=here)
    dead = sleeping()
    dead.kill()
    dead.wait()
    try:
        both = {"pid": process.pid, "cmd": "dvc status"}, {"pid": dead.pid, "cmd": "dvc status"}
        (here / "rwlock").write_text(
            json.dumps({"write": {"/a": both[1]}, "read": {"/b": list(both), "/c": [both[1]]}})
        )
        assert clear(here, print).live == {process.pid: "dvc status"}
        assert json.loads((here / "rwlock").read_text()) == {"write": {}, "read": {"/b": [both[0]]}}
    finally:
        process.kill()
        process.wait()


@pytest.mark.dvc
def test_a_run_clears_half_a_file_and_goes_on(tmp_path):
    toy = Toy(tmp_path)
    (tmp_path / ".dvc" / "tmp").mkdir()
    (tmp_path / ".dvc" / "tmp" / "rwlock").touch()
    answer = toy.run()
    assert answer.returncode == 0 and answer.stdout.startswith(f".dvc/tmp/rwlock {CLEARED}\n")


@pytest.mark.dvc
def test_a_second_run_and_a_plain_dvc_command_leave_each_other_alone(tmp_path):
    slow = {"slow": {"cmd": "touch began; while ! test -e go; do sleep 0.1; done; echo 1 > slow", "outs": ["slow"]}}
    toy = Toy(tmp_path, STUDY | slow)
    plain = toy.dvc("repro", "-q", "-s", "slow")
    wait((tmp_path / "began").exists)
    answer = toy.run()
    assert answer.returncode == 1
    assert answer.stdout.startswith(f"error: a dvc command is at work in this folder (pid {plain.pid}: ")
    toy.write(go="")
    assert plain.wait(timeout=60) == 0

    for name in ("slow", "go", "began"):
        (tmp_path / name).unlink()
    with open(tmp_path / ".dvc" / "tmp" / "lock", "r+") as handle:  # as a plain `dvc status` holds it
        fcntl.flock(handle, fcntl.LOCK_EX)
        handle.write(f" {os.getpid()}\n")
        handle.truncate()
        handle.flush()
        first = toy.start()
        assert first.stdout.readline() == "looking at what has changed\n"
        assert first.stdout.readline() == f"waiting until another dvc command (pid {os.getpid()}) has ended\n"
    second = toy.run()
    assert second.returncode == 1
    assert second.stdout.startswith(f"error: another run is at work in this folder: pid {first.pid}, since 20")
    toy.write(go="")
    assert first.communicate(timeout=120) and first.returncode == 0


@pytest.mark.dvc
def test_a_lock_that_another_command_holds_is_waited_for_and_said_and_ctrl_c_is_heard(tmp_path):
    toy = Toy(tmp_path)
    (tmp_path / ".dvc" / "tmp").mkdir()
    with open(tmp_path / ".dvc" / "tmp" / "rwlock.lock", "w") as handle:  # as a dvc command that was stopped holds it
        fcntl.flock(handle, fcntl.LOCK_EX)
        process = toy.start()
        assert process.stdout.readline().startswith("waiting until another dvc command lets go of .dvc/tmp/rwlock.lock")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    assert toy.run().returncode == 0


@pytest.mark.parametrize(
    ("call", "number", "said"),
    [("fcntl.flock", errno.ENOLCK, "files cannot be locked"), ("os.pwrite", errno.ENOSPC, "no space left")],
)
def test_a_file_system_without_locks_and_a_full_disk_are_named(here, monkeypatch, call, number, said):
    def fails(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(call, fails)
    with pytest.raises(InputError, match=f"^{here}/lock: {said}"), only_run(here / "lock", print):
        pass
