"""Every setting of models, training and decoding has a range, and what has no effect beside the rest is refused."""

import math
import re
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.settings.machine import check_threads
from stages.settings.params import validate
from stages.settings.training import Decoding, ModelSizes, Training
from tests.helpers import committed

DEMO = committed.params()["corpora"]["demo"]
KINDS = {"model": ModelSizes, "training": Training, "decoding": Decoding}
ADADELTA = {"name": "adadelta", "rho": 0.95, "eps": 1e-6}
ADAM = DEMO["training"]["optimizer"]


def refusal(section: str, values: dict[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        validate(DEMO[section] | values, KINDS[section], section)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("optimizer", "message"),
    [
        (ADAM | {"betas": [0.9, 1.0]}, r"betas\.1: .*less than 1 \(is 1\.0\)"),
        (ADAM | {"betas": [-0.1, 0.9]}, r"betas\.0: .*greater than or equal to 0"),
        (ADAM | {"betas": [0.9]}, r"betas\.1: missing key"),
        (ADAM | {"betas": [math.nan, 0.9]}, r"betas\.0: .*finite"),
        (ADAM | {"eps": 0}, r"eps: .*greater than 0 \(is 0\)"),
        (ADAM | {"eps": math.inf}, r"eps: .*finite"),
        (ADAM | {"weight_decay": -1}, r"weight_decay: .*greater than or equal to 0"),
        (ADAM | {"weight_decay": True}, r"weight_decay: .*a number is wanted, not true"),
        (ADAM | {"rho": 0.9}, r"rho: unknown key"),
        (ADADELTA | {"rho": 1}, r"rho: .*less than 1"),
        (ADADELTA | {"eps": 0.0}, r"eps: .*greater than 0"),
        (ADADELTA | {"betas": [0.9, 0.9]}, r"betas: unknown key"),
        ({"name": "sgd"}, r"momentum: missing key"),
        ({"name": "sgd", "momentum": 1.0}, r"momentum: .*less than 1"),
        ({"name": "rmsprop"}, r"optimizer: .*'adam', 'adadelta', 'sgd'.*'rmsprop'"),
        ({}, r"optimizer: .*discriminator"),
    ],
)
def test_options_of_an_optimizer(optimizer, message):
    assert re.search(message, refusal("training", {"optimizer": optimizer}))


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        ("training", {"lr": 0}, r"lr: .*greater than 0"),
        ("training", {"lr": 11}, r"lr: .*less than or equal to 10 \(is 11\)"),
        ("training", {"lr_shrink": 0.0}, r"lr_shrink: .*greater than 0"),
        ("training", {"lr_shrink": 1.1}, r"lr_shrink: .*less than or equal to 1"),
        ("training", {"anneal_epoch": "first"}, r"anneal_epoch.*'last'"),
        ("training", {"label_smoothing": 1}, r"label_smoothing: .*less than 1"),
        ("training", {"threads": 0}, r"threads: .*greater than 0"),
        ("training", {"save_seconds": 0}, r"save_seconds: .*greater than 0"),
        ("training", {"cuda_graphs": 1}, r"cuda_graphs: .*boolean"),
        ("training", {"gpus": 0}, r"gpus: .*greater than 0"),
        ("training", {"gpus": 65}, r"gpus: .*less than or equal to 64"),
        ("training", {"gpus": 2, "cuda_graphs": True}, r"gpus: .*one GPU; set cuda_graphs: false, or 1 here \(is 2\)"),
        ("training", {"gpus": 2, "precision": "bf16_products"}, r"gpus: .*one process; set another precision, or 1"),
        ("model", {"init_range": 0}, r"init_range: .*greater than 0"),
        ("model", {"hidden_dim": 65537}, r"hidden_dim: .*less than or equal to 65536"),
        ("model", {"history_dim": True}, r"history_dim: .*a number is wanted, not true"),
        ("decoding", {"max_len_b": 0}, r"max_len_b: .*greater than 0"),
        ("training", {"max_tokens": 40}, r"max_tokens: .*room for one pair of max_length 40 and eos, 41 .* \(is 40\)"),
        ("training", {"max_tokens": None}, r"max_sentences: .*max_tokens is null too.*set one of them"),
        (
            "training",
            {"lr_scheduler": "inverse_sqrt"},
            r"anneal_epoch: .*no effect with lr_scheduler inverse_sqrt; set it to null \(is 'last'\); .*lr_shrink: ",
        ),
        (
            "training",
            {"lr_scheduler": "inverse_sqrt", "anneal_epoch": None, "lr_shrink": None, "warmup_updates": 0},
            r"warmup_updates: .*set at least 1",
        ),
        ("training", {"anneal_epoch": None}, r"lr_shrink: .*set both, or both to null"),
        ("training", {"lr_shrink": None}, r"lr_shrink: .*set both, or both to null"),
    ],
)
def test_what_is_out_of_range_or_has_no_effect(section, values, message):
    assert re.search(message, refusal(section, values))


def test_the_last_epoch_follows_the_number_of_epochs():
    found = [Training(**DEMO["training"] | {"max_epoch": epochs}).first_annealed for epochs in (3, 7)]
    assert found == [3, 7]
    assert Training(**DEMO["training"] | {"max_epoch": 7, "anneal_epoch": 5}).first_annealed == 5


def test_threads_are_held_against_the_machine(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    check_threads(8, "training.threads")
    with pytest.raises(InputError, match=r"^params\.yaml: training\.threads is 9, but .* 2 cores; set at most 8$"):
        check_threads(9, "training.threads")
