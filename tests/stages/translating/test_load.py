"""Checkpoints that are refused: code in them, damage, something else, nothing."""

import os
from pathlib import Path

import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.errors import InputError
from stages.translating.load import load_system
from tests.helpers import tiny

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer


class Code:
    """Unpickling it runs a command."""

    def __init__(self, command: str):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def refused(checkpoint: Path) -> str:
    with pytest.raises(InputError) as error:
        load_system(checkpoint, tiny.study() / tiny.DATA)
    message = str(error.value)
    assert "\n" not in message and str(checkpoint) in message
    return message


@pytest.mark.training
def test_a_checkpoint_that_holds_code(tmp_path):
    file, trace = tmp_path / "model.pt", tmp_path / "trace"
    torch.save(tiny.checkpoint(tiny.trained("rnnsearch_star")) | {"extra": Code(f"touch {trace}")}, file)
    assert "could run code" in refused(file)
    assert not trace.exists()


@pytest.mark.training
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_checkpoint(tmp_path, share):
    whole = (tiny.trained("rnnsearch_star") / "model.pt").read_bytes()
    (tmp_path / "model.pt").write_bytes(whole[: int(share * len(whole))])
    assert "damaged" in refused(tmp_path / "model.pt")


def test_a_checkpoint_of_something_else(tmp_path):
    torch.save({"weights": torch.zeros(3)}, tmp_path / "model.pt")
    assert "not a checkpoint" in refused(tmp_path / "model.pt")


def test_a_checkpoint_that_is_not_there(tmp_path):
    assert "missing" in refused(tmp_path / "model.pt")
