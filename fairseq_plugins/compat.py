"""Makes fairseq 0.12.2 (2022) importable and safe to use on Python 3.11-3.14 with torch 2.11-2.13.

Importing this module imports fairseq, once; whatever uses fairseq imports this module first. It is the only place that
knows that fairseq is older than the rest of the stack:

- Python >= 3.11 refuses a dataclass instance as the default of a field; fairseq's configuration is made of those.
- torch >= 2.6 unpickles weights only. fairseq's checkpoints also hold an `argparse.Namespace` (settings of the model)
  and integer arrays (counts of BLEU on dev): these go on torch's list of safe types, any other object is refused.
- fairseq tells an optional setting by its type's text, which is another one since Python 3.14.
- Python >= 3.14 starts processes that import fairseq anew, without this module: they are forked, as before.
- fairseq's command line takes bf16 for a wish for a TPU; GPUs and CPUs compute in bf16 too.
- Notices about deprecations and optional packages inside fairseq, which its user cannot act on, are not shown.

Parts of fairseq that this study never reaches stay as they are: its speech masking and CRF layers use numpy names that
are gone.
"""

import argparse
import dataclasses
import errno
import importlib.abc
import importlib.machinery
import logging
import multiprocessing
import os
import pickle
import re
import sys
import types
import typing
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numpy as np
import torch

__all__ = ["CheckpointError", "load_checkpoint"]


class CheckpointError(ValueError):
    """A checkpoint that is damaged or that holds more than weights and settings."""


@contextmanager
def _dataclass_defaults_of(package: str) -> Iterator[None]:
    """While it is open, dataclasses of `package` may be defaults of fields, as all could before Python 3.11.

    Python takes an unhashable default for a mutable one, so these classes get the identity hash of any plain object.
    """
    dataclass = dataclasses.dataclass

    @wraps(dataclass)
    def hashable(cls: type | None = None, /, **options: Any) -> Any:
        def decorate(cls: type) -> type:
            made: Any = dataclass(cls, **options)
            if made.__module__.partition(".")[0] == package and made.__hash__ is None:
                made.__hash__ = object.__hash__
            return made

        return decorate if cls is None else decorate(cls)

    dataclasses.dataclass = hashable
    try:
        yield
    finally:
        dataclasses.dataclass = dataclass


@contextmanager
def _changed_on_import(name: str, change: Callable[[types.ModuleType], None]) -> Iterator[None]:
    """While it is open, the module `name` is changed as soon as it is imported, before whoever imports it goes on."""

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
            spec = importlib.machinery.PathFinder.find_spec(fullname, path, target) if fullname == name else None
            if spec is not None and spec.loader is not None:
                execute = spec.loader.exec_module

                def exec_module(module: types.ModuleType) -> None:
                    execute(module)
                    change(module)

                spec.loader.exec_module = exec_module  # type: ignore[method-assign]
            return spec

    finder = Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _import_fairseq() -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logging.getLogger("fairseq.tasks.text_to_speech").setLevel(logging.WARNING)  # else: "Please install tensorboardX"
    optional_types = _changed_on_import("fairseq.dataclass.utils", _read_optional_types)
    with warnings.catch_warnings(), _dataclass_defaults_of("fairseq"), optional_types:
        warnings.simplefilter("ignore", DeprecationWarning)  # torch.jit.script decorates functions of fairseq
        import fairseq  # noqa: F401
    # One of its tasks sends all logs to stderr when it is imported; where they go is for the program to say.
    root.handlers[:] = handlers
    root.setLevel(level)


def _silence_noise() -> None:
    """fairseq speaks hydra 1.0 to hydra 1.3, and torch of 2022 to torch of today; both answer with warnings."""
    warnings.filterwarnings("ignore", module=r"hydra\.")
    warnings.filterwarnings("ignore", message=r"\s*'config' is validated against ConfigStore schema")
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"fairseq\.")
    warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"fairseq\.")
    warnings.filterwarnings("ignore", message=r"'pin_memory' argument is set as true but no accelerator")
    warnings.filterwarnings("ignore", message="Support for mismatched key_padding_mask and attn_mask is deprecated")
    warnings.filterwarnings("ignore", message="Detected pickle protocol", module="torch")


def _read_optional_types(utils: types.ModuleType) -> None:
    """The type of a setting that may be None is what else it may be, which fairseq reads from the union's text.

    utils: `fairseq.dataclass.utils`, which fairseq uses while it is being imported.
    """
    interpret = utils.interpret_dc_type

    @wraps(interpret)
    def interpret_dc_type(field_type: Any) -> Any:
        parts = typing.get_args(field_type)
        is_union = typing.get_origin(field_type) in (typing.Union, types.UnionType)
        if not (is_union and type(None) in parts):
            return interpret(field_type)
        return next(part for part in parts if part is not type(None))

    setattr(utils, interpret.__name__, interpret_dc_type)


def _start_workers_by_fork() -> None:
    """What loads and prepares data beside the main process; a program that has chosen keeps its choice."""
    if sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) is None:
        multiprocessing.set_start_method("fork")


def _load_weights_only() -> None:
    """Let torch's weights-only unpickler read fairseq's checkpoints, and say in one sentence what it refuses."""
    os.environ.pop("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", None)  # would let a checkpoint run code
    counts = np.zeros(0, np.int64)
    rebuild_array: Any = counts.__reduce__()[0]
    torch.serialization.add_safe_globals(
        [argparse.Namespace, rebuild_array, np.ndarray, np.dtype, type(counts.dtype)],
    )
    from fairseq import checkpoint_utils

    checkpoint_utils.load_checkpoint_to_cpu = _guarded(checkpoint_utils.load_checkpoint_to_cpu)


def _guarded(load: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """`load`, raising a CheckpointError for a file that is there but cannot be read as weights and settings."""

    @wraps(load)
    def load_checkpoint_to_cpu(path: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            state = load(path, *args, **kwargs)
            if not all(isinstance(weight, torch.Tensor) for weight in state["model"].values()):
                raise TypeError("weights that are no tensors")
            return state
        except OSError as error:
            if error.filename or error.errno != errno.EINVAL:  # which is what torch says of some truncated files
                raise
            raise CheckpointError(f"{path}: not a checkpoint, or damaged; name another, or train again.") from error
        except Exception as error:  # a damaged file fails in any way: RuntimeError, EOFError, KeyError, ...
            refused = re.search(r"GLOBAL (\S+)|got <class '([^']+)'>", str(error))
            if isinstance(error, pickle.UnpicklingError) and refused:
                raise CheckpointError(
                    f"{path}: refused, because it holds {refused[1] or refused[2]}, which could run code; a checkpoint"
                    " holds weights and settings only. Use a file that you trained yourself."
                ) from None
            if isinstance(error, MemoryError) or re.search(r"can't allocate memory|out of memory", str(error)):
                raise CheckpointError(f"{path}: there is too little free memory to load it.") from error
            raise CheckpointError(f"{path}: not a checkpoint, or damaged; name another, or train again.") from error

    return load_checkpoint_to_cpu


def _compute_in_bf16_without_tpu() -> None:
    """Let `--bf16` name a type of numbers and no device, as it does in fairseq's configuration files."""
    from fairseq import options

    parse = options.parse_args_and_arch

    @wraps(parse)
    def parse_args_and_arch(*args: Any, **kwargs: Any) -> Any:
        parsed = parse(*args, **kwargs)
        (parsed[0] if isinstance(parsed, tuple) else parsed).tpu = False
        return parsed

    options.parse_args_and_arch = parse_args_and_arch


_import_fairseq()
_silence_noise()
_start_workers_by_fork()
_load_weights_only()
_compute_in_bf16_without_tpu()


def load_checkpoint(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a fairseq checkpoint holds, on the CPU: `cfg`, `model` (name -> tensor), `extra_state`, and more.

    Raises CheckpointError when the file is damaged or holds anything but weights and settings.
    """
    from fairseq import checkpoint_utils

    return checkpoint_utils.load_checkpoint_to_cpu(os.fspath(path))
