"""What the processes of a joint training do in its tests: each imports this module anew, so it patches itself."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import psutil
import torch

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from stages.settings.training import Training
from stages.training import run
from stages.training.journal import Journal
from stages.training.loop import Loop
from stages.training.process_group import ProcessGroup
from stages.training.workers import WITHOUT_GPUS
from tests.helpers import tiny
from tests.helpers.paths import ROOT

from fairseq import metrics
from fairseq.trainer import Trainer

_train = run._train
WHOLE_GROUP, PARENT, ASKED = "group", "parent", "asked"


class Death(NamedTuple):
    """How a train stage ended: exit status, last line on stderr, and the processes of its group that go on."""

    status: int
    sentence: str
    left: list[psutil.Process]


def first_updates(cases: dict[Path, tuple[list[str], Training]], group: ProcessGroup) -> None:
    """Of one training after another: see ``first_update``. New processes for each would be most of the time."""
    for folder, (arguments, settings) in cases.items():
        metrics.reset()
        first_update(arguments, settings, folder, group)


def first_update(arguments: list[str], settings: Training, folder: Path, group: ProcessGroup) -> None:
    """Leaves ``<rank>.pt``: ids of this process's sentences, gradients, what was logged; then training ends."""

    class FirstUpdate(Loop):
        def validate_and_save(self, cfg, trainer, *others):
            gradients = {name: weight.grad for name, weight in trainer.get_model().named_parameters()}
            logged = {name: float(value) for name, value in metrics.get_smoothed_values("train").items()}
            torch.save({"ids": ids, "gradients": gradients, "logged": logged}, folder / f"{self.group.rank}.pt")
            return [None], True

    def train_step(trainer: Trainer, samples: list[dict[str, Any]], **options: Any) -> Any:
        ids.extend(number for sample in samples if sample for number in sample["id"].tolist())
        return step(trainer, samples, **options)

    ids: list[int] = []
    step = Trainer.train_step
    registry.register(arguments[arguments.index("--arch") + 1])
    torch.set_num_threads(1)
    with mock.patch.object(Trainer, "train_step", train_step):
        FirstUpdate("first", folder, settings, Journal(), None, group).run(arguments)


def train_where_only_the_first_writes(scratch: Path, *given: Any) -> None:
    """Part of a training; a process that is not the first fails if it opens a file of ``scratch`` for writing."""

    def watch(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], str | os.PathLike) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
            assert scratch.resolve() not in Path(arguments[0]).resolve().parents, f"wrote {arguments[0]}"

    if not given[-1].first:
        sys.addaudithook(watch)
    _train(scratch, *given)


def train_until_a_death(variant: str, scratch: Path, who: int | str, update: int) -> Death:
    """The train stage in a process group of its own, one of whose processes gets SIGKILL after an update.

    who: its rank; ``PARENT``, which only waits for them; or ``WHOLE_GROUP``, and all do; with ``ASKED`` all get
    SIGTERM instead.
    """
    environment = os.environ | {
        "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", WITHOUT_GPUS: "gloo", "DEATH": f"{who} {update}",
    }  # fmt: skip
    code = "import sys; from tests.helpers import together; together._train_and_die(*sys.argv[1:])"
    with tempfile.TemporaryFile("w+") as said:  # a pipe would be waited for until all that hold it have ended
        stage = subprocess.Popen(
            [sys.executable, "-c", code, str(tiny.study()), variant, str(scratch)],
            env=environment, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
        )  # fmt: skip
        stage.wait(timeout=300)
        said.seek(0)
        lines = said.read()
    left = [process for process in psutil.process_iter() if _in_group(process, stage.pid)]
    return Death(stage.returncode, lines.strip().rpartition("\n")[2], psutil.wait_procs(left, timeout=5)[1])


def _in_group(process: psutil.Process, group: int) -> bool:
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, ProcessLookupError):
        return False


def _train_and_die(root: str, variant: str, scratch: str) -> None:
    from stages.files import main

    run._train = _train_until_death
    tiny.study = lambda: Path(root)
    main.run(lambda: tiny.train(variant, Path(scratch), Path("never written")))


def _train_until_death(*given: Any) -> None:
    who, update = os.environ["DEATH"].split()
    kill = {WHOLE_GROUP: lambda: os.killpg(0, signal.SIGKILL), PARENT: lambda: os.kill(os.getppid(), signal.SIGKILL)}
    kill[ASKED] = lambda: os.killpg(0, signal.SIGTERM)
    mine = kill.get(who) or (lambda: os.kill(os.getpid(), signal.SIGKILL))
    original, updates = Loop.validate_and_save, 0

    def deadly(*arguments: Any) -> Any:
        nonlocal updates
        result = original(*arguments)
        updates += 1
        if updates == int(update) and who in (*kill, str(given[-1].rank)):
            mine()
            if who != ASKED:
                time.sleep(10)  # whoever is to be ended meanwhile
        return result

    Loop.validate_and_save = deadly
    _train(*given)
