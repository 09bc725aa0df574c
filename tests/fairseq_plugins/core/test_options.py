"""Options of models and terms on the command line."""

import math
from argparse import ArgumentError, ArgumentParser, Namespace
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Literal

import pytest
from torch import nn

from fairseq_plugins.core import encoder
from fairseq_plugins.core.model import SystemOptions
from fairseq_plugins.core.options import RefusedError, add_options, option, read_options


@dataclass(frozen=True)
class Options:
    """One field of every kind of type that an option may have."""

    size: int = option(3, "an int")
    maybe_size: int | None = option(None, "an int or nothing")
    rate: float = option(0.5, "a float")
    switch: bool = option(False, "a bool")
    kind: Literal["left", "right"] = option("left", "one of two words")
    maybe_kind: Literal["left", "right"] | None = option(None, "one of two words or nothing")
    names: str = option("", "a str")


def parsed(*flags: str) -> Options:
    parser = ArgumentParser(exit_on_error=False)
    add_options(parser, Options)
    return read_options(Options, parser.parse_args(list(flags)))


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), Options()),
        (("--size", "4"), Options(size=4)),
        (("--maybe-size", "4"), Options(maybe_size=4)),
        (("--rate", "0.25"), Options(rate=0.25)),
        (("--switch", "true"), Options(switch=True)),
        (("--switch", "False"), Options(switch=False)),
        (("--kind", "right"), Options(kind="right")),
        (("--maybe-kind", "right"), Options(maybe_kind="right")),
        (("--names", "a,b"), Options(names="a,b")),
    ],
)
def test_options_from_the_command_line(flags, expected):
    assert parsed(*flags) == expected


@pytest.mark.parametrize(
    "flags", [("--size", "x"), ("--switch", "maybe"), ("--kind", "up"), ("--maybe-kind", "up"), ("--maybe-size", "1.5")]
)
def test_refused_options(flags):
    with pytest.raises(ArgumentError):
        parsed(*flags)


def test_one_name_means_one_option():
    @dataclass(frozen=True)
    class Different:
        size: int = option(4, "an int")

    add_options(ArgumentParser(), Options, Options)
    with pytest.raises(ValueError, match="size is declared twice"):
        add_options(ArgumentParser(), Options, Different)


def test_a_rank_of_the_output_matrix_is_at_least_1():
    with pytest.raises(ValueError, match="readout_lowrank must be at least 1, not 0"):
        SystemOptions(readout_lowrank=0)


def test_a_number_is_not_below_0_nor_without_bounds_and_a_width_not_below_1():
    assert read_options(Options, Namespace(size=0)).size == 0
    for odd in (-1, math.inf, math.nan):
        with pytest.raises(RefusedError, match=f"--size is {odd}, but must be a number of at least 0"):
            read_options(Options, Namespace(size=odd))
    with pytest.raises(RefusedError, match="--embed-dim is 0, but must be a number of at least 1"):
        read_options(SystemOptions, Namespace(embed_dim=0))


def test_products_of_the_encoder_are_rounded_on_every_device(monkeypatch):
    """PyTorch's own GRU and LSTM round nothing on a GPU."""
    asked = []
    for name in ("padded_gru", "padded_lstm"):
        monkeypatch.setattr(encoder, name, lambda rnn, *_: asked.append(type(rnn)))
    monkeypatch.setattr(encoder, "rounds_to_bf16", lambda _: True)
    on_gpu = SimpleNamespace(device=SimpleNamespace(type="cuda"))
    for kind in (nn.GRU, nn.LSTM):
        encoder.RecurrentEncoder.recur(SimpleNamespace(rnn=kind(2, 2)), on_gpu, None)
    assert asked == [nn.GRU, nn.LSTM]
