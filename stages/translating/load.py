"""Loading a trained system for decoding."""

from pathlib import Path

import torch

from fairseq_plugins import compat, registry
from stages.files.ensemble import models
from stages.files.errors import InputError
from stages.translating.decoding import System

from fairseq import checkpoint_utils


def load_ensemble(checkpoint: Path, data: Path) -> System:
    """The system in ``checkpoint`` and those beside it, which a search averages; errors as of ``load_system``."""
    first, *others = (load_system(one, data) for one in models(checkpoint))
    return first._replace(others=tuple(one.model for one in others))


def load_system(checkpoint: Path, data: Path) -> System:
    """The system in ``checkpoint`` (weights-only unpickling), with the dictionaries of the binarised ``data``.

    Raises:
        InputError: the checkpoint is missing or damaged, or holds code.
    """
    try:
        settings = compat.load_checkpoint(checkpoint)["cfg"]["model"]
        registry.register(settings.arch)
        models, task = checkpoint_utils.load_model_ensemble_and_task([str(checkpoint)], {"data": str(data)})[::2]
    except compat.CheckpointError as error:
        raise InputError(str(error)) from None
    except OSError as error:  # what torch says of some truncated files
        raise InputError(f"{checkpoint}: missing or damaged ({error}); train the system again") from None
    for module in models[0].modules():
        if hasattr(module, "can_use_fastpath"):  # of fairseq's Transformer: it returns less padding than it was given
            module.can_use_fastpath = False
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return System(models[0].to(device).eval(), task.source_dictionary, task.target_dictionary)
