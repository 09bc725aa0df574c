"""The first weights of a fine-tuned system."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from torch import Tensor

from fairseq_plugins import compat
from stages.files.errors import InputError
from stages.training.saves import write_state
from stages.training.transfer import extended

from fairseq import options, tasks, utils
from fairseq.dataclass.utils import convert_namespace_to_omegaconf

REVERSE = "reverse."  # where the model of the reverse direction stands in a system that trains both


def write_initial(path: Path, arguments: Sequence[str], seed: int, initial: Path) -> None:
    """A checkpoint for ``--finetune-from-model``: the model that ``arguments`` describe, with trained weights.

    Args:
        arguments: of ``fairseq-train``.
        seed: of the weights that the trained model does not have.
        initial: folder of the initialise stage for this system and seed: model.pt, and reverse.pt if the base was
            trained in the reverse direction too.

    Raises:
        InputError: a model is missing or damaged, or does not fit.
    """
    args = options.parse_args_and_arch(options.get_training_parser(), list(arguments))
    config = convert_namespace_to_omegaconf(args)
    utils.set_torch_seed(seed)
    fresh = tasks.setup_task(config.task).build_model(config.model).state_dict()
    ahead = {name: value for name, value in fresh.items() if not name.startswith(REVERSE)}
    model, reverse = initial / "model.pt", initial / "reverse.pt"
    checkpoint = _load(model)
    weights = _taken_over(ahead, model, checkpoint)
    if len(ahead) < len(fresh):
        if not reverse.is_file():
            raise InputError(f"{reverse} is missing: {args.arch} joins both directions; add its base to `also_reverse`")
        weights |= _taken_over(fresh, reverse, _load(reverse), REVERSE)
    position = {"epoch": 1, "iterations_in_epoch": 0}
    cfg = OmegaConf.to_container(checkpoint["cfg"], resolve=True, enum_to_str=True)  # plain data, as fairseq stores it
    write_state(path, checkpoint | {"cfg": cfg, "model": weights, "extra_state": {"train_iterator": position}})


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
