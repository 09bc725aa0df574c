"""Systems of the miniature study, what they are to translate, and whether they found the same."""

import contextlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.settings.training import Decoding
from stages.translating.decoding import Decoded, System
from stages.translating.load import load_system
from tests.helpers import tiny
from tests.helpers.started import build, started

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer
ATTENTIVE = ["rnnsearch_star", "my_combination", "transformer", "transformer_aligned"]
SHARPER, ENDING = 3.0, 4.5  # with which translations are of many lengths
DECODING = Decoding(
    beam=3, length_penalty=1.0, max_len_a=1.5, max_len_b=10, max_tokens=1000, precision="fp32", threads=1
)


def load(variant: str) -> System:
    return load_system(tiny.trained(variant) / "model.pt", tiny.study() / tiny.DATA)


def untrained(variant: str, *further: str) -> System:
    """Before its first update, with weights large enough to prefer some words: a search is the same with any weights.

    further: options of fairseq that replace those of the variant.
    """
    arguments = _arguments(variant)
    torch.manual_seed(tiny.SEED)
    with contextlib.chdir(tiny.study()):
        task, model = build([*arguments, *further])
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(SHARPER)
        if hasattr(model.decoder, "W_o"):
            model.decoder.W_o.bias[task.target_dictionary.eos()] = ENDING
    for module in model.modules():
        if hasattr(module, "can_use_fastpath"):  # as load_system does it
            module.can_use_fastpath = False
    return System(model.eval(), task.source_dictionary, task.target_dictionary)


@cache
def _arguments(variant: str) -> list[str]:
    return started(variant, Path("untrained") / variant).arguments


def sentences() -> list[list[str]]:
    """Sentences of 3 to 30 pieces, unordered."""
    return [*tiny.pieces("test", tiny.SOURCE)[:9], ["mao", ".", "yu"]]


def with_eos(system: System, bias: float) -> System:
    """The system with its liking for the end of sentence changed."""
    return biased(system, system.target_dictionary.eos(), bias)


def biased(system: System, token: int, bias: float) -> System:
    with torch.no_grad():
        system.model.decoder.W_o.bias[token] = bias
    return system


def same(found: list[Decoded], expected: list[Decoded]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.source, one.target, one.finished) == (other.source, other.target, other.finished)
        assert one.score == pytest.approx(other.score, abs=1e-4)
        assert one.positional == pytest.approx(other.positional, abs=1e-4)
        torch.testing.assert_close(one.attention, other.attention, rtol=0, atol=1e-5)


def first_quickly(cases: Sequence) -> list:
    """The first is quick; the others, of which each searches for seconds, wait for `make test-all`."""
    first, *others = cases
    given = [one if isinstance(one, tuple) else (one,) for one in others]
    return [first, *(pytest.param(*one, marks=pytest.mark.slow) for one in given)]
