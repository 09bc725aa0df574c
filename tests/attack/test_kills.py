"""Some kills of runs of a toy study, whose stages are lines of shell; `make attack` kills a real one 200 times."""

import contextlib
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.attack.kills import Attack, AttackError, Kill
from tests.stages.pipeline.toy import MAIN, Toy, environment

STAGES = {
    "corpus": {"cmd": "cut -c1 source > corpus", "deps": ["source"], "outs": ["corpus"]},
    "report": {"cmd": "sleep 1; cat corpus source > report", "deps": ["corpus", "source"], "outs": ["report"]},
}
OUTPUTS = ("corpus", "report")


class ToyStudy:
    """See `tests.attack.kills.Subject`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.toy = folder, Toy(folder, STAGES)

    def begin_anew(self) -> None:
        for name in (*OUTPUTS, "dvc.lock"):
            (self.folder / name).unlink(missing_ok=True)
        for name in ("cache", "tmp"):
            shutil.rmtree(self.folder / ".dvc" / name, ignore_errors=True)

    def start(self, output: BinaryIO) -> subprocess.Popen:
        return self.toy.start(stdout=output)

    def run(self) -> subprocess.CompletedProcess:
        command = [sys.executable, "-c", MAIN, "2", "a b c", "", "local"]
        answer = subprocess.run(command, cwd=self.folder, env=environment(), capture_output=True, text=True)
        answer.stdout = answer.stdout.replace("nothing to do", "Everything is up to date.")
        return answer

    def contents(self) -> dict[str, bytes]:
        there = {name: self.folder / name for name in OUTPUTS}
        return {name: path.read_bytes() for name, path in there.items() if path.exists()}


@pytest.mark.process
def test_killed_runs_end_equal_and_another_content_is_noticed(tmp_path):
    (tmp_path / "study").mkdir()
    log = tmp_path / "kills.jsonl"
    attack = Attack(ToyStudy(tmp_path / "study"), 2, seed=1, log=log, say=lambda text: None)
    attack.undisturbed()
    attack.run()
    assert attack.done == len(log.read_text().splitlines()) == 2
    attack.expected["report"] = b"another"
    with pytest.raises(AttackError, match="outputs are not those of an undisturbed run\nreport: another content"):
        attack.check()


START = """Traceback (most recent call last):
  File "<string>", line 3, in <module>
  File "/at/stages/pipeline/stopping.py", line 4, in <module>
    import signal
  File "/lib/python3.11/signal.py", line 14, in <module>
    _IntEnum._convert_(
KeyboardInterrupt
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("printed", "fair"),
    [
        (START, True),
        ("", True),
        (START.replace("4, in <module>", "40, in stoppable"), False),
        (START.replace("stopping", "runner"), False),
        (START.replace("KeyboardInterrupt", "ValueError: no signal"), False),
    ],
)
def test_ctrl_c_may_meet_python_before_it_has_imported_what_hears_it(tmp_path, printed, fair):
    attack = Attack(ToyStudy(tmp_path), 1, seed=1, log=tmp_path / "log", say=lambda text: None)
    kill = Kill(1, 1, 1, 0.0, "SIGINT", "runner", ["run"], [])
    with contextlib.nullcontext() if fair else pytest.raises(AttackError, match="status -2 instead of"):
        attack._judge(-signal.SIGINT, printed, [kill], 0)
