"""Trainings of the miniature study that are stopped where fairseq takes over, and stages that refuse their input."""

import contextlib
import shutil
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from torch import Tensor

from fairseq_plugins import compat
from stages.files.main import run
from stages.settings.training import Training
from stages.translating.load import load_system
from tests.helpers import tiny
from tests.helpers.support import forward, random_batch

from fairseq import options, tasks
from fairseq.dataclass.utils import convert_namespace_to_omegaconf
from fairseq.models import FairseqEncoderDecoderModel

BATCH = random_batch([5, 1, 7], [4, 6, 2], seed=1)


class Started(NamedTuple):
    """A training that was stopped where fairseq takes over: its scratch folder, and the arguments for fairseq."""

    folder: Path
    arguments: list[str]

    def weights(self) -> dict[str, Tensor]:
        return compat.load_checkpoint(self.folder / "initial.pt")["model"]


def started(variant: str, scratch: Path, **inputs: Any) -> Started:
    found = []

    def stop(folder: Path, name: str, settings: Training, arguments: list[str], *_) -> None:
        found.append(Started(tiny.study() / folder, arguments))
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        if variant in tiny.BASES:
            tiny.initial(variant)  # with the real thing
        patch.setattr("stages.training.run.train_in", stop)
        tiny.train(variant, scratch, Path("never written"), **inputs)
    return found[0]


@cache
def initial_of(variant: str) -> Started:
    return started(variant, Path("started") / variant)


def build(arguments: list[str]) -> tuple[tasks.FairseqTask, FairseqEncoderDecoderModel]:
    """Task and model that arguments of fairseq describe."""
    with tiny.quiet():
        config = convert_namespace_to_omegaconf(options.parse_args_and_arch(options.get_training_parser(), arguments))
    task = tasks.setup_task(config.task)
    return task, task.build_model(config.model)


def model_of(start: Started, weights: dict[str, Tensor], *further: str) -> FairseqEncoderDecoderModel:
    with contextlib.chdir(tiny.study()):
        _, model = build([*start.arguments, *further])
    model.load_state_dict(weights)
    return model.double().eval()


def system(folder: Path, reverse: bool = False) -> FairseqEncoderDecoderModel:
    return load_system(folder / "model.pt", tiny.study() / tiny.data(reverse)).model.double()


def base_model(variant: str) -> FairseqEncoderDecoderModel:
    return system(tiny.trained(tiny.BASES[variant]))


def predictions(model: FairseqEncoderDecoderModel) -> tuple[Tensor, Tensor]:
    """Logits and weights of the words of ``BATCH``."""
    logits, weights = forward(model, BATCH)
    return logits[BATCH.real], weights[BATCH.real]


def refusal(capsys, variant: str, scratch: Path, **inputs: Any) -> str:
    """What the stage says instead of training: one sentence, and status 1."""
    with pytest.raises(SystemExit) as end:
        run(lambda: tiny.train(variant, scratch, Path("never written"), **inputs))
    error = capsys.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    assert not (tiny.study() / "never written").exists()
    return error


def begin_with(folder: Path, model: Path, reverse: Path | None = None) -> Path:
    """What the initialise stage would write to ``folder`` for these models, files or folders of trained systems."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in {"model.pt": model, "reverse.pt": reverse}.items():
        path = path / "model.pt" if path and path.is_dir() else path
        if path and path.exists():
            shutil.copy(path, folder / name)
    return folder
