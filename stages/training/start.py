"""The first weights of a system that continues from the trained model of another one."""

from collections.abc import Sequence
from pathlib import Path

from omegaconf import OmegaConf

from fairseq_plugins import compat
from stages.errors import InputError
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
        InputError: a model is missing or damaged, or does not fit.
    """
    args = options.parse_args_and_arch(options.get_training_parser(), list(arguments))
    config = convert_namespace_to_omegaconf(args)
    utils.set_torch_seed(seed)
    fresh = tasks.setup_task(config.task).build_model(config.model).state_dict()
    try:
        checkpoint = compat.load_checkpoint(start)
        if reverse_start is None:
            weights = extended(fresh, checkpoint["model"])
        else:
            ahead = {name: value for name, value in fresh.items() if not name.startswith(REVERSE)}
            weights = extended(ahead, checkpoint["model"])
            weights |= extended(fresh, compat.load_checkpoint(reverse_start)["model"], REVERSE)
    except compat.CheckpointError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(f"{start}: {error}") from None
    position = {"epoch": 1, "iterations_in_epoch": 0}
    cfg = OmegaConf.to_container(checkpoint["cfg"], resolve=True, enum_to_str=True)  # plain data, as fairseq stores it
    state = checkpoint | {"cfg": cfg, "model": weights, "extra_state": {"train_iterator": position}}
    checkpoint_utils.torch_persistent_save(state, str(path))
