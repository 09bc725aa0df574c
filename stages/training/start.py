"""The first weights of a system that continues from the trained model of another one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from torch import Tensor

from fairseq_plugins import compat
from stages.files.errors import InputError
from stages.training.transfer import extended

from fairseq import checkpoint_utils, options, tasks, utils
from fairseq.dataclass.utils import convert_namespace_to_omegaconf

REVERSE = "reverse."  # where the model of the other direction stands in a system that trains both


def write_start(path: Path, arguments: Sequence[str], seed: int, start: Path, reverse_start: Path | None) -> None:
    """A checkpoint for ``--finetune-from-model``: the model that ``arguments`` describe, with the weights of ``start``.

    Args:
        arguments: of ``fairseq-train``.
        seed: of the weights that ``start`` does not have.
        start: model.pt of the system to start from.
        reverse_start: model.pt of the other direction, for a system that trains both; None for one that does not.

    Raises:
        InputError: a model is missing or damaged, does not fit, or is one too few or too many.
    """
    args = options.parse_args_and_arch(options.get_training_parser(), list(arguments))
    config = convert_namespace_to_omegaconf(args)
    utils.set_torch_seed(seed)
    fresh = tasks.setup_task(config.task).build_model(config.model).state_dict()
    ahead = {name: value for name, value in fresh.items() if not name.startswith(REVERSE)}
    if (len(ahead) < len(fresh)) != (reverse_start is not None):
        ways, models = ("one direction", "two models") if reverse_start else ("both directions", "one model")
        raise InputError(f"{args.arch} trains {ways} and is to start from {models}; list it below another of `starts`")
    checkpoint = _load(start)
    weights = _taken_over(ahead, start, checkpoint)
    if reverse_start is not None:
        weights |= _taken_over(fresh, reverse_start, _load(reverse_start), REVERSE)
    position = {"epoch": 1, "iterations_in_epoch": 0}
    cfg = OmegaConf.to_container(checkpoint["cfg"], resolve=True, enum_to_str=True)  # plain data, as fairseq stores it
    state = checkpoint | {"cfg": cfg, "model": weights, "extra_state": {"train_iterator": position}}
    checkpoint_utils.torch_persistent_save(state, str(path))


def _load(path: Path) -> dict[str, Any]:
    try:
        return compat.load_checkpoint(path)
    except compat.CheckpointError as error:
        raise InputError(str(error)) from None
    except OSError as error:  # what torch says of some truncated files
        raise InputError(f"{path}: missing or damaged ({error}); train that system again") from None


def _taken_over(
    fresh: Mapping[str, Tensor], path: Path, checkpoint: Mapping[str, Any], prefix: str = ""
) -> dict[str, Tensor]:
    try:
        return extended(fresh, checkpoint["model"], prefix)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
