"""Ctrl-C and signals while the runner starts, or where Python and libraries would swallow them: one line."""

import os
import signal
import subprocess
import sys

import pytest

from tests.helpers.signals import hear_signals
from tests.stages.pipeline.toy import environment


@pytest.mark.process
def test_ctrl_c_while_the_runner_is_imported_is_one_line(tmp_path):
    """Its imports take a second, most of it DVC's."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'dvc':\n"
        "            sys.meta_path.remove(self)\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
    )
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    command = [sys.executable, "-m", "stages.pipeline"]
    answer = subprocess.run(
        command, cwd=tmp_path, env=environment() | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=60
    )
    assert (answer.returncode, answer.stdout) == (130, "")
    assert answer.stderr == "stopped by Ctrl-C; run again to go on from there\n"


@pytest.mark.process
def test_ctrl_c_where_python_ignores_exceptions_is_heard():
    """As in a destructor."""
    code = (
        "import signal, time\n"
        "from stages.pipeline.stopping import stoppable\n"
        "class Dying:\n"
        "    def __del__(self):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "def main():\n"
        "    Dying()\n"
        "    time.sleep(60)\n"
        "stoppable(main)\n"
    )
    answer = _answer(code)
    assert answer.returncode == 130
    assert answer.stderr == "stopped by Ctrl-C; run again to go on from there\n"


@pytest.mark.process
def test_ctrl_c_in_an_object_half_built_is_one_line():
    """DVC's progress bars need in their destructor what the end of their constructor sets."""
    code = (
        "import signal\n"
        "from stages.pipeline.stopping import stoppable\n"
        "class Bar:\n"
        "    def __init__(self):\n"
        "        {signal}\n"
        "        self.postfix = ''\n"
        "    def __del__(self):\n"
        "        print(self.postfix + 'x'[{index}])\n"
        "stoppable(Bar)\n"
    )
    stopped = _answer(code.format(signal="signal.raise_signal(signal.SIGINT)", index=0))
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert stopped.stderr == "stopped by Ctrl-C; run again to go on from there\n"
    assert "IndexError" in _answer(code.format(signal="pass", index=1)).stderr  # an error of its own is told


@pytest.mark.process
def test_ctrl_c_that_a_library_turns_into_an_error_of_its_own_is_one_line():
    """As pydantic does while it is imported."""
    code = (
        "import signal\n"
        "from stages.pipeline.stopping import stoppable\n"
        "def main():\n"
        "    try:\n"
        "        {signal}\n"
        "    except BaseException:\n"
        "        pass\n"
        "    raise ImportError('of the library')\n"
        "stoppable(main)\n"
    )
    stopped = _answer(code.format(signal="signal.raise_signal(signal.SIGINT)"))
    assert (stopped.returncode, stopped.stderr) == (130, "stopped by Ctrl-C; run again to go on from there\n")
    assert "ImportError: of the library" in _answer(code.format(signal="pass")).stderr


def _answer(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=30)


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_until_everything_is_imported(number):
    """Code in another language that is imported may make an error of its own of what a signal raises."""
    code = (
        "import os, runpy, signal, sys, time\n"
        "class Importer:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'stages.pipeline.repro':\n"
        "            try:\n"
        "                os.kill(os.getpid(), int(sys.argv.pop()))\n"
        "                time.sleep(0.05)\n"
        "            except BaseException:\n"
        "                os._exit(7)\n"
        "sys.meta_path.insert(0, Importer())\n"
        "runpy.run_module('stages.pipeline', run_name='__main__')\n"
    )
    command = [sys.executable, "-c", code, str(int(number))]
    found = subprocess.run(command, env=environment(), capture_output=True, text=True, preexec_fn=hear_signals)
    expected = (128 + number, f"stopped by {number.name}; run again to go on from there\n")
    assert (found.returncode, found.stderr) == expected
