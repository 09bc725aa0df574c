"""A trained model with what translating needs of it: weights of half the size, and none of the optimiser's state.

Weights are fp16, with 11 significant bits, and become fp32 when they are loaded: the model's parameters are fp32, and
take the values. Below 6e-5 fp16 has fewer bits: such a weight is off by 3e-8 at most.
"""

import io
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from fairseq_plugins import compat, registry
from stages.files.errors import InputError

from fairseq.models import ARCH_MODEL_REGISTRY

WORDS = re.compile(r"[A-Za-z0-9_.]{1,100}(,[A-Za-z0-9_.]{1,100})*")
"""What a setting may be that is text: nothing that calls anything where it is evaluated."""
TASK = {"_name": "translation", "data": "data", "left_pad_source": False, "left_pad_target": False}
POSITIONS = ("max_source_positions", "max_target_positions")
PAIR = ("source_lang", "target_lang")
NOTHING = {"optimizer_history": [{"optimizer_name": "none", "lr_scheduler_state": {}, "num_updates": 0}]}
"""What fairseq looks for in a checkpoint."""


def halved(checkpoint: Path) -> bytes:
    """The checkpoint in half precision, as fairseq and `check_safe` read it.

    Raises:
        InputError: it is missing or damaged, or a weight is beyond what fp16 holds.
    """
    state = _loaded(checkpoint, "train the system again")
    settings = state["cfg"]["model"]
    registry.register(settings.arch)
    parser = ArgumentParser(allow_abbrev=False)
    ARCH_MODEL_REGISTRY[settings.arch].add_args(parser)
    names = [*vars(parser.parse_known_args([])[0]), *POSITIONS, "arch", "_name"]
    model = Namespace(**{name: value for name, value in vars(settings).items() if name in names})
    task = TASK | {name: state["cfg"]["task"][name] for name in (*PAIR, *POSITIONS)}
    content = {
        "cfg": {"model": model, "task": task},
        "model": {name: _half(weight, f"{checkpoint}: {name}") for name, weight in state["model"].items()},
        "extra_state": {"train_iterator": {"epoch": 1}},
        **NOTHING,
    }
    _check_options(checkpoint, vars(model), "this kind of system cannot be handed on")
    written = io.BytesIO()
    torch.save(content, written)
    return written.getvalue()


def check_safe(checkpoint: Path, of: Path, pair: tuple[str, str]) -> None:
    """Raise InputError for a checkpoint, of the file `of`, that holds more than weights and plain settings.

    pair: source and target language.

    Code is refused by the weights-only unpickler. But fairseq evaluates some settings of its own architectures, and
    has tasks that read files: so settings are numbers and words, and the task is translation.
    """
    state = _loaded(checkpoint, "get the file again", of)
    try:
        model, task = vars(state["cfg"]["model"]), dict(state["cfg"]["task"])
    except (KeyError, TypeError):
        raise InputError(f"{of} holds a model without settings; use one that `make release` wrote") from None
    expected = TASK | dict(zip(PAIR, pair, strict=True))
    odd = {name for name, value in expected.items() if task.get(name) != value}
    odd |= task.keys() - {*TASK, *PAIR, *POSITIONS}
    if odd:
        what = f"another task than translation from {pair[0]} to {pair[1]} ({', '.join(sorted(odd))})"
        raise InputError(f"{of} asks for {what}; do not use it")
    _check_options(of, model, "do not use it")
    _check_options(of, task, "do not use it")


def _loaded(checkpoint: Path, remedy: str, named: Path | None = None) -> Mapping[str, Any]:
    try:
        return compat.load_checkpoint(checkpoint)
    except compat.CheckpointError as error:
        raise InputError(str(error).replace(str(checkpoint), str(named or checkpoint))) from None
    except OSError as error:
        raise InputError(f"{named or checkpoint}: missing or damaged ({error}); {remedy}") from None


def _half(weight: torch.Tensor, name: str) -> torch.Tensor:
    if not weight.is_floating_point():
        return weight
    half = weight.half()
    if not half.isfinite().all():
        largest = float(weight.abs().max())
        raise InputError(f"{name} has a weight of {largest:.3g}, which half precision cannot hold; train it otherwise")
    return half


def _check_options(path: Path, options: Mapping[str, Any], remedy: str) -> None:
    for name, value in options.items():
        word = isinstance(value, str) and WORDS.fullmatch(value)
        if not word and not isinstance(value, bool | int | float | None):
            raise InputError(f"{path}: the setting {name} is {value!r}, which is no number and no word; {remedy}")
