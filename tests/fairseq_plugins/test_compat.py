"""fairseq on today's Python and torch: what compat changes, what it leaves alone, which checkpoints it refuses."""

import dataclasses
import os
import pickle
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any, Optional, Union, get_args

import numpy as np
import pytest
import torch

from fairseq_plugins import compat


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter in which nothing has been imported."""
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def dataclass_in(module: str) -> type:
    return dataclasses.dataclass(type("Settings", (), {"__module__": module, "__annotations__": {"x": int}, "x": 1}))


@pytest.mark.process
def test_the_package_alone_imports_neither_torch_nor_fairseq():
    done = python("import sys, fairseq_plugins; print({'torch', 'fairseq', 'numpy'} & set(sys.modules))")
    assert done.stdout.strip() == "set()"


@pytest.mark.process
def test_importing_fairseq_says_nothing_even_with_all_warnings_and_logs_on():
    code = """
import logging, warnings
warnings.simplefilter("default")
import torch
logging.basicConfig(level="INFO")
from fairseq_plugins import compat
from fairseq.dataclass.configs import FairseqConfig
assert FairseqConfig().common.seed == 1
"""
    done = python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.process
def test_logging_is_left_to_the_program():
    done = python(
        "import logging; from fairseq_plugins import compat; print(logging.root.handlers, logging.root.level)"
    )
    assert done.stdout.split() == ["[]", "30"]


@pytest.mark.parametrize("kind", [str | None, Optional[int], Union[None, bool], Union[float, None], "a union of three"])  # noqa: UP007, UP045
def test_what_an_optional_setting_may_be_is_read_from_the_type_and_not_from_its_text(kind):
    """Python 3.14 writes each of them as `str | None`."""
    from fairseq.dataclass.utils import interpret_dc_type

    kind = str | int | None if kind == "a union of three" else kind
    assert interpret_dc_type(kind) is next(part for part in get_args(kind) if part is not type(None))


@pytest.mark.process
def test_optional_settings_are_read_from_the_type_while_fairseq_is_imported_too():
    """Its own models register themselves then; on Python 3.14 fairseq's own reading of an optional type ends that."""
    code = """
import sys, typing
asked = []
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "interpret_dc_type" and "field_type" in frame.f_locals:
        asked.append((frame.f_code.co_filename, frame.f_locals["field_type"]))
sys.setprofile(note)
from fairseq_plugins import compat
sys.setprofile(None)
optional = [file for file, kind in asked if type(None) in typing.get_args(kind)]
print(len(optional) > 50, {file.rsplit("/", 1)[1] for file in optional})
"""
    assert python(code).stdout.strip() == "True {'compat.py'}"


def test_other_types_are_what_they_were():
    from fairseq.dataclass.utils import interpret_dc_type

    assert [interpret_dc_type(kind) for kind in (int, Any, list[str], int | str)] == [int, str, list[str], int | str]
    with pytest.raises(RuntimeError, match="field should be a type"):
        interpret_dc_type("str | None")


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are not forked")
@pytest.mark.parametrize(("chosen", "method"), [("", "fork"), ("multiprocessing.set_start_method('spawn'); ", "spawn")])
def test_workers_are_forked_unless_the_program_says_otherwise(chosen, method):
    done = python(f"import multiprocessing; {chosen}from fairseq_plugins import compat; "
                  "print(multiprocessing.get_start_method(allow_none=True))")  # fmt: skip
    assert done.stdout.strip() == method


def test_dataclasses_are_as_they_were_afterwards():
    assert dataclasses.dataclass.__module__ == "dataclasses"
    assert dataclass_in("fairseq.later").__hash__ is None
    with pytest.raises(ValueError, match="mutable default"):

        @dataclasses.dataclass
        class _Shared:
            settings: object = dataclass_in("elsewhere")()


def test_the_rule_is_relaxed_for_the_named_package_only():
    with compat._dataclass_defaults_of("fairseq"):
        assert dataclass_in("fairseq.models").__hash__ is object.__hash__
        assert dataclass_in("fairseq_plugins.models").__hash__ is None
        assert dataclass_in("stages").__hash__ is None


def test_the_rule_is_put_back_when_an_import_fails():
    before = dataclasses.dataclass
    with pytest.raises(ImportError), compat._dataclass_defaults_of("fairseq"):
        raise ImportError
    assert dataclasses.dataclass is before


def checkpoint(**more: object) -> dict[str, object]:
    """As fairseq's trainer writes it, the model's weights apart."""
    return {
        "args": None,
        "cfg": {"model": Namespace(arch="lstm"), "task": {"_name": "translation"}},
        "model": {"weight": torch.ones(2, 3)},
        "optimizer_history": [
            {"criterion_name": "C", "optimizer_name": "O", "lr_scheduler_state": {"best": 1.0}, "num_updates": 4}
        ],
        "extra_state": {
            "metrics": {"valid": [(0, "_bleu_counts", "AverageMeter", {"sum": np.array([3, 2, 1, 0])})]},
            "train_iterator": {"epoch": 1},
        },
        "last_optimizer_state": {},
        **more,
    }


def test_a_checkpoint_with_settings_and_bleu_counts_loads(tmp_path):
    torch.save(checkpoint(), tmp_path / "model.pt")
    state = compat.load_checkpoint(tmp_path / "model.pt")
    assert torch.equal(state["model"]["weight"], torch.ones(2, 3))
    assert state["cfg"].model.arch == "lstm"
    counts = state["extra_state"]["metrics"]["valid"][0][3]["sum"]
    assert counts.dtype == np.int64 and counts.tolist() == [3, 2, 1, 0]


class Touch:
    """Creates a file when it is unpickled by something that runs code."""

    def __init__(self, path: Path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


CODE = {
    "call": lambda trap: {"note": Touch(trap)},
    "inside the settings": lambda trap: {"cfg": {"model": Namespace(arch=Touch(trap))}},
    "inside an array": lambda trap: {"note": np.array([Touch(trap)], dtype=object)},
    "builtin": lambda trap: {"note": eval},
    "class": lambda trap: {"note": Path},
}


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("extra", CODE.values(), ids=CODE)
def test_a_checkpoint_with_code_is_refused_in_one_sentence_and_not_run(tmp_path, extra, zipped):
    trap, path = tmp_path / "trap", tmp_path / "model.pt"
    torch.save(checkpoint(**extra(trap)), path, _use_new_zipfile_serialization=zipped)
    with pytest.raises(compat.CheckpointError, match=r"refused, because it holds \S+, which could run code") as caught:
        compat.load_checkpoint(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert not trap.exists()


@pytest.mark.process
def test_the_environment_cannot_switch_the_check_off(tmp_path):
    trap, path = tmp_path / "trap", tmp_path / "model.pt"
    torch.save(checkpoint(note=Touch(trap)), path)
    code = f"from fairseq_plugins import compat; compat.load_checkpoint({str(path)!r})"
    done = python(code, TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD="1")
    assert "CheckpointError" in done.stderr
    assert not trap.exists()


def damaged(tmp_path: Path) -> dict[str, bytes]:
    torch.save(checkpoint(), tmp_path / "whole.pt")
    whole = (tmp_path / "whole.pt").read_bytes()
    return {
        "truncated": whole[: len(whole) // 2],
        "empty": b"",
        "text": b"not a checkpoint\n",
        "bare pickle": pickle.dumps({"model": {}}, protocol=2),
    }


@pytest.mark.parametrize("kind", ["truncated", "empty", "text", "bare pickle"])
def test_a_damaged_checkpoint_is_one_sentence(tmp_path, kind):
    path = tmp_path / "model.pt"
    path.write_bytes(damaged(tmp_path)[kind])
    with pytest.raises(compat.CheckpointError, match="not a checkpoint, or damaged") as caught:
        compat.load_checkpoint(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_too_little_memory_is_no_damage(tmp_path, monkeypatch):
    torch.save(checkpoint(), tmp_path / "model.pt")

    def no_room(*arguments, **options):
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.")

    monkeypatch.setattr(torch, "load", no_room)
    with pytest.raises(compat.CheckpointError, match=r"model\.pt: there is too little free memory to load it\.$"):
        compat.load_checkpoint(tmp_path / "model.pt")


def test_an_absent_checkpoint_stays_what_it_is(tmp_path):
    with pytest.raises(FileNotFoundError):
        compat.load_checkpoint(tmp_path / "none.pt")
