"""The command as a process: whose output is closed, full or long, and that is told to stop."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

COMMAND = [sys.executable, "-m", "stages.translator", "--system", "rnnsearch_star", "--window", "1"]


def started(root: Path, **streams) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "CUDA_VISIBLE_DEVICES": ""}
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.Popen(COMMAND, cwd=root, env=environment, **given)


@pytest.mark.training
def test_a_line_is_answered_before_the_next_and_ctrl_c_ends_in_one(translated):
    process = started(translated.root)
    process.stdin.write(b"mao ba yu chi .\n")
    process.stdin.flush()
    assert process.stdout.readline().endswith(b"\n")
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    used, *last = errors.decode().split("\n", 1)
    assert "rnnsearch_star/1" in used and last == ["\nstopped by Ctrl-C; what was written is whole lines\n"]


@pytest.mark.process
def test_what_is_written_when_ctrl_c_comes_is_whole_lines():
    """More than Python keeps before it writes, so that a part of it is out already."""
    code = (
        "import sys; from stages.translator import __main__ as translator\n"
        "def main():\n"
        "    for _ in range(1000): sys.stdout.buffer.write(b'a translation\\n')\n"
        "    raise KeyboardInterrupt\n"
        "translator.main = main; translator._whole_lines()"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True)
    assert (done.returncode, done.stdout) == (130, b"a translation\n" * 1000)


@pytest.mark.training
def test_a_reader_that_has_enough_ends_it_quietly(translated):
    process = started(translated.root)
    process.stdout.close()
    errors = process.communicate(b"mao .\n" * 5, timeout=60)[1]
    assert process.returncode == 141 and errors.count(b"\n") == 1  # which system it is


@pytest.mark.training
def test_a_full_disk_is_one_sentence(translated):
    with open("/dev/full", "wb") as full:
        process = started(translated.root, stdout=full)
        errors = process.communicate(b"mao .\n" * 5, timeout=60)[1].decode()
    assert process.returncode == 1
    _, last = errors.splitlines()
    assert last.startswith("error: standard output: no space left on the disk")
