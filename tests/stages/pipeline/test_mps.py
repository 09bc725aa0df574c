"""The daemon by which trainings share a GPU: started and stopped with the run, also when that is killed.

A script stands in for NVIDIA's program: it logs its arguments and what it is told, and has a process as a daemon.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.pipeline import mps
from stages.pipeline.repro import main
from tests.helpers.paths import ROOT
from tests.helpers.processes import lives, wait

pytestmark = pytest.mark.process

PROGRAM = """#!/bin/sh
here="$(dirname "$0")"
if [ "$1" = -d ]; then
    [ -e "$here/broken" ] && { echo "An instance of this daemon"; echo "is already running" >&2; exit 1; }
    setsid sleep 300 </dev/null >/dev/null 2>&1 &
    echo $! >"$CUDA_MPS_PIPE_DIRECTORY/pid"
    echo "starts in $CUDA_MPS_PIPE_DIRECTORY${CUDA_VISIBLE_DEVICES:+, sees $CUDA_VISIBLE_DEVICES}" >>"$here/log"
else
    read told
    echo "$told" >>"$here/log"
    kill $(cat "$CUDA_MPS_PIPE_DIRECTORY/pid")
fi
"""
RUN = """
import subprocess, sys, time
from stages.pipeline.mps import shared_gpu
from stages.pipeline.stopping import stoppable

def main():
    with shared_gpu(True):
        print("within", flush=True)
        time.sleep(60)

stoppable(main)
"""


@pytest.fixture
def program(monkeypatch, tmp_path) -> Path:
    """Its folder, first in PATH."""
    control = tmp_path / mps.CONTROL
    control.write_text(PROGRAM)
    control.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.delenv(mps.PIPES, raising=False)
    return tmp_path


def log(program: Path) -> list[str]:
    return (program / "log").read_text().splitlines() if (program / "log").exists() else []


def test_it_is_there_within_and_gone_afterwards(program):
    with mps.shared_gpu(True):
        folder = Path(os.environ[mps.PIPES])
        daemon = int((folder / "pid").read_text())
        child = subprocess.run(["sh", "-c", f"echo ${mps.PIPES}"], capture_output=True, text=True)
        assert folder.parent == program and child.stdout.strip() == str(folder) == os.environ[mps.LOGS]
        assert lives(daemon) and log(program) == [f"starts in {folder}"]
    assert log(program)[1:] == [f"quit -t {mps.ENDING}"]
    wait(lambda: not lives(daemon), seconds=10)  # one that was told to end may take a moment
    assert not folder.exists() and not {mps.PIPES, mps.LOGS} & set(os.environ)


def test_its_clients_number_the_gpus_that_it_sees(program, monkeypatch):
    monkeypatch.setenv(mps.SEEN, "3,1")
    with mps.shared_gpu(True):
        assert os.environ[mps.SEEN] == "0,1"
        assert log(program)[0].endswith("sees 3,1")
    assert os.environ[mps.SEEN] == "3,1"


@pytest.mark.parametrize(("broken", "shares"), [(False, True), (True, False)])
def test_what_can_do_without_it_does(program, capsys, broken, shares):
    if broken:
        (program / "broken").touch()
    with mps.shared_if_possible(True) as found:
        assert found == shares
    assert ("without MPS: nvidia-cuda-mps-control does not start" in capsys.readouterr().out) == broken


def test_it_does_not_start_unasked(program):
    with mps.shared_if_possible(False) as found:
        assert not found
    assert not log(program)


def test_a_service_of_the_user_is_shared_too(program, monkeypatch):
    monkeypatch.setenv(mps.PIPES, "/there")
    with mps.shared_if_possible(False) as found:
        assert found and not log(program)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_a_run_that_is_killed(program, number):
    """By a signal to its group, as from a terminal."""
    run = subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert run.stdout.readline() == "within\n"
    (folder,) = program.glob("mps-*")
    daemon = int((folder / "pid").read_text())
    assert lives(daemon)
    os.killpg(run.pid, number)
    run.wait(20)
    wait(lambda: not lives(daemon) and not folder.exists(), seconds=20)
    assert log(program)[1:] == [f"quit -t {mps.ENDING}"]


def test_an_error_within_stops_it_too(program):
    with pytest.raises(ZeroDivisionError), mps.shared_gpu(True):
        raise ZeroDivisionError
    assert len(log(program)) == 2


def test_one_that_does_not_start_is_an_error_in_its_own_words(program):
    (program / "broken").touch()
    said = "does not start: An instance of this daemon is already running; leave MPS"
    with pytest.raises(InputError, match=said), mps.shared_gpu(True):
        pytest.fail("there is no service")
    assert not list(program.glob("mps-*")) and mps.PIPES not in os.environ


def test_without_the_program_the_remedy_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(mps.PIPES, raising=False)
    with pytest.raises(InputError, match=f"MPS=1 needs {mps.CONTROL}"), mps.shared_gpu(True):
        pytest.fail("there is no service")


@pytest.mark.parametrize(("wanted", "own"), [(False, None), (True, "/there")])
def test_it_is_left_alone(program, monkeypatch, wanted, own):
    """Where nobody asks for it, and where the user has one."""
    if own:
        monkeypatch.setenv(mps.PIPES, own)
    with mps.shared_gpu(wanted):
        assert os.environ.get(mps.PIPES) == own and not log(program)


@pytest.mark.parametrize("arguments", [["--mps", "yes"], ["--mps", "1", "--engine", "slurm"]])
def test_the_command_line(arguments):
    with pytest.raises(InputError, match="MPS is 1 or is left out"):
        main(arguments)
