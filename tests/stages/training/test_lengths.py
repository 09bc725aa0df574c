"""Long pairs that are left out, the rate that shrinks, and how settings reach fairseq."""

import io
import logging
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from fairseq_plugins.optim import fused_adamw  # noqa: F401  makes it known to fairseq
from stages.settings.training import Training
from stages.training.arguments import training_arguments
from stages.training.loop import Loop, _tokens_within
from tests.helpers import tiny

from fairseq import options
from fairseq.trainer import Trainer

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]
NEVER = {"anneal_epoch": None, "lr_shrink": None}


class Short(NamedTuple):
    """A training that leaves out long pairs: its outputs, and what the criterion and the loop saw.

    seen: rows of (whether in training, sentences, target tokens), one a batch. tokens: the loop's count, one an epoch.
    printed: what it printed, and what fairseq warned of.
    """

    folder: Path
    seen: list[tuple[bool, list[int], int]]
    tokens: list[int]
    printed: io.StringIO


@pytest.fixture(scope="module")
def short(tmp_path_factory) -> Iterator[Short]:
    folder = tmp_path_factory.mktemp("short")
    made = Short(folder / "out", [], [], io.StringIO())
    criterion, close_epoch = AuxiliaryNLL.forward, Loop._close_epoch

    def forward_seen(self, model, sample, reduce=True):
        made.seen.append((model.training, sample["id"].tolist(), sample["ntokens"]))
        return criterion(self, model, sample, reduce)

    def close_epoch_seen(self, trainer, epoch_itr, dev_ppl, tokens):
        made.tokens.append(tokens)
        close_epoch(self, trainer, epoch_itr, dev_ppl, tokens)

    handler = logging.StreamHandler(made.printed)
    logging.getLogger().addHandler(handler)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(made.printed):
        patch.setattr(AuxiliaryNLL, "forward", forward_seen)
        patch.setattr(Loop, "_close_epoch", close_epoch_seen)
        tiny.train("short_and_annealed", folder / "scratch", made.folder)
    logging.getLogger().removeHandler(handler)
    return made


LIMIT = tiny.VARIANTS["short_and_annealed"]["training"]["max_length"]
BOUNDARIES = (
    lambda source, target: max(source, target) == LIMIT,
    lambda source, target: source > LIMIT >= target,
    lambda source, target: target > LIMIT >= source,
)
"""Pairs that tell limits apart: as long as may be, too long on one side, too long on the other."""


def sides(part: str) -> Iterator[tuple[list[str], list[str]]]:
    return zip(tiny.pieces(part, tiny.SOURCE), tiny.pieces(part, tiny.TARGET), strict=True)


def within(part: str) -> list[int]:
    return [k for k, pair in enumerate(sides(part)) if max(map(len, pair)) <= LIMIT]


@pytest.mark.training
def test_what_is_left_out_is_said_once_and_is_no_warning(short):
    pairs = len(list(sides("train")))
    left_out = pairs - len(within("train"))
    line = f"without {left_out} of {pairs} training pairs, a side of which has more than {LIMIT} pieces\n"
    printed = short.printed.getvalue()
    assert left_out and printed.count(line) == 1 and "invalid sizes" not in printed


@pytest.mark.training
def test_long_pairs_are_left_out_of_training_and_of_nothing_else(short):
    """So the learning curves of systems with different limits are of one dev set."""
    trained_on, validated_on = (
        Counter(k for in_training, rows, _ in short.seen if in_training == training for k in rows)
        for training in (True, False)
    )
    everything = {part: range(len(tiny.pieces(part, tiny.SOURCE))) for part in ("train", "dev")}
    longest = [(len(source), len(target)) for source, target in sides("train")]
    assert all(any(kind(*pair) for pair in longest) for kind in BOUNDARIES)
    assert 0 < len(within("train")) < len(everything["train"]) and len(within("dev")) < len(everything["dev"])
    assert trained_on == dict.fromkeys(within("train"), tiny.EPOCHS)
    assert validated_on == dict.fromkeys(everything["dev"], tiny.EPOCHS)


@pytest.mark.training
def test_what_a_system_can_translate_does_not_depend_on_the_limit(short):
    task = tiny.checkpoint(short.folder)["cfg"]["task"]
    assert (task.max_source_positions, task.max_target_positions) == (1024, 1024)


@pytest.mark.training
def test_the_limit_ends_with_the_training(short):
    assert Trainer.get_train_iterator.__qualname__ == "Trainer.get_train_iterator"


@pytest.mark.training
def test_speed_counts_the_tokens_of_the_pairs_that_are_trained_on(short):
    targets = tiny.pieces("train", tiny.TARGET)
    expected = sum(len(targets[k]) + 1 for k in within("train"))
    assert short.tokens == [expected] * tiny.EPOCHS
    assert sum(tokens for in_training, _, tokens in short.seen if in_training) == expected * tiny.EPOCHS


@pytest.mark.parametrize(("limit", "expected"), [(None, 13), (6, 13), (5, 11), (4, 7), (3, 2), (2, 2), (1, 0)])
def test_tokens_within_a_length_by_hand(limit, expected):
    """Lengths count eos, the limit does not."""
    sides = np.array([[3, 2], [5, 5], [6, 4], [7, 2]]).T
    assert _tokens_within(Namespace(src_sizes=sides[0], tgt_sizes=sides[1]), limit) == expected


@pytest.mark.training
def test_the_rate_shrinks_from_the_annealing_epoch_on(short):
    rates = [float(row["lr"]) for row in tiny.log(short.folder, "train")]
    assert rates == pytest.approx([tiny.RATE, tiny.RATE / 10, tiny.RATE / 100])


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ({"max_length": 30}, {"max_source_positions": None, "max_target_positions": None}),
        (
            {"anneal_epoch": 3, "lr_shrink": 0.5, "warmup_updates": 7},
            {"lr_scheduler": "fixed", "force_anneal": 3, "lr_shrink": 0.5, "warmup_updates": 7},
        ),
        ({"anneal_epoch": "last", "max_epoch": 9}, {"lr_scheduler": "fixed", "force_anneal": 9}),
        (NEVER, {"lr_scheduler": "fixed", "force_anneal": None}),
        (
            NEVER | {"lr_scheduler": "inverse_sqrt", "warmup_updates": 7},
            {"lr_scheduler": "inverse_sqrt", "warmup_updates": 7},
        ),
        (
            {"optimizer": {"name": "adam", "betas": [0.8, 0.9], "eps": 1e-3, "weight_decay": 0.1}},
            {"optimizer": "fused_adamw", "adam_betas": "(0.8, 0.9)", "adam_eps": 1e-3, "weight_decay": 0.1},
        ),
        (
            {"optimizer": {"name": "adadelta", "rho": 0.95, "eps": 1e-3}},
            {"optimizer": "adadelta", "adadelta_rho": 0.95, "adadelta_eps": 1e-3, "weight_decay": 0.0},
        ),
        (
            {"optimizer": {"name": "sgd", "momentum": 0.5}, "lr": 1.0},
            {"optimizer": "sgd", "momentum": 0.5, "weight_decay": 0.0, "lr": [1.0]},
        ),
        ({}, {"max_tokens": 60, "batch_size": None, "required_batch_size_multiple": 8, "sentence_avg": False}),
        (
            {"max_tokens": None, "max_sentences": 80, "sentence_avg": True},
            {"max_tokens": None, "batch_size": 80, "required_batch_size_multiple": 8, "sentence_avg": True},
        ),
        ({"max_sentences": 30}, {"max_tokens": 60, "batch_size": 30, "required_batch_size_multiple": 2}),
    ],
)
def test_settings_reach_fairseq(override, expected):
    settings = Training(**{**SETTINGS["training"], **override})
    arguments = training_arguments(settings, 1, Path("bin"), Path("scratch"), ("zh", "en"))
    model = ["--arch", "transformer", "--criterion", "label_smoothed_cross_entropy"]
    found = options.parse_args_and_arch(options.get_training_parser(), [*arguments, *model])
    assert {name: getattr(found, name, None) for name in expected} == expected
    assert not found.skip_invalid_size_inputs_valid_test
