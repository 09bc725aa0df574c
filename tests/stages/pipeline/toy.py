"""Small DVC repositories to try the runner on, and runs of it in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import yaml

from tests.helpers.paths import ROOT
from tests.helpers.processes import PATIENCE, wait
from tests.helpers.signals import hear_signals

MAIN = """
import sys
from stages.pipeline.stopping import stoppable
slots, systems, only, engine = int(sys.argv[1]), sys.argv[2].split(), sys.argv[3].split(), sys.argv[4]
def reproduced():
    from stages.pipeline.engines import engine_of
    from stages.pipeline.lock import RUNS, only_run
    from stages.pipeline.runner import RunRequest, reproduce
    with only_run(RUNS, print) as lock:
        result = reproduce(RunRequest(slots, systems, only, {}, lambda _: None, engine_of(engine)), lock)
    print('worked' if result.worked else 'nothing to do')
def main():
    from stages.files.main import run
    run(reproduced)
stoppable(main)
"""

STUDY = {
    "corpus": {"cmd": "cut -c1 source > corpus && echo corpus >> ran", "deps": ["source"], "outs": ["corpus"]},
    "train": {
        "matrix": {"variant": "${systems}", "seed": "${seeds}"},
        "cmd": [
            "sh ${item.variant}.sh",
            "echo ${item.variant} > ${item.variant}.model && echo train ${item.variant} >> ran",
        ],
        "deps": ["corpus", "${item.variant}.sh"],
        "outs": ["${item.variant}.model"],
    },
    "score": {
        "matrix": {"variant": "${systems}", "seed": "${seeds}"},
        "cmd": "cp ${item.variant}.model ${item.variant}.score && echo ${item.variant} BLEU 12"
        " && echo score ${item.variant} >> ran",
        "deps": ["${item.variant}.model"],
        "outs": ["${item.variant}.score"],
    },
    "report": {"cmd": "cat *.score > report", "deps": ["a.score", "b.score", "c.score"], "outs": ["report"]},
}
"""Systems a, b, c with one seed: a corpus, trainings that run <system>.sh, scores, a report. `ran` lists what ran."""


class Toy:
    def __init__(self, folder: Path, stages: dict = STUDY) -> None:
        self.folder = folder
        repository(folder)
        self.write(**{"source": "1 first", "a.sh": "true", "b.sh": "true", "c.sh": "true"})
        self.write(**{"params.yaml": "systems: [a, b, c]\nseeds: [1]\n"})
        self.write(**{"dvc.yaml": yaml.safe_dump({"stages": stages}, sort_keys=False, width=1000)})

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name).write_text(f"{text}\n")

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def ran(self) -> list[str]:
        """The stages that ran since it was asked last, sorted."""
        path = self.folder / "ran"
        lines = sorted(path.read_text().splitlines()) if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def start(self, *only: str, slots: int = 2, engine: str = "local", **options) -> subprocess.Popen:
        """A run, in a session of its own and deaf to no signal, as if from a shell."""
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True} | options
        options["preexec_fn"] = hear_signals
        command = [sys.executable, "-c", MAIN, str(slots), "a b c", " ".join(only), engine]
        return subprocess.Popen(command, cwd=self.folder, env=environment(), text=True, **options)

    def run(self, *only: str, slots: int = 2, engine: str = "local") -> subprocess.CompletedProcess:
        process = self.start(*only, slots=slots, engine=engine)
        output = process.communicate(timeout=3 * PATIENCE)[0]
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def dvc(self, *arguments: str, **options) -> subprocess.Popen:
        """A plain DVC command."""
        command = [sys.executable, "-m", "dvc", *arguments]
        return subprocess.Popen(command, cwd=self.folder, env=environment(), **options)

    def pid(self, name: str) -> int:
        """The number in a file that a stage writes."""
        path = self.folder / name
        wait(lambda: path.exists() and path.read_text().endswith("\n"))
        return int(path.read_text())


def repository(folder: Path) -> None:
    """What `dvc init --no-scm` leaves there."""
    (folder / ".dvc").mkdir()
    (folder / ".dvc" / "config").write_text("[core]\n    no_scm = True\n    analytics = false\n")
    (folder / ".dvcignore").touch()


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
