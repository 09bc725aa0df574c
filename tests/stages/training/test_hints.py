"""What a training says of settings that hardly anybody wants."""

import re

import pytest

from stages.settings.training import Training
from stages.training.hints import hints
from tests.helpers import committed

SETTINGS = committed.params()["defaults"]["training"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"warmup_updates": 799}, []),
        ({"warmup_updates": 800}, ["has 800 updates, and warmup_updates is 800"]),
        ({"max_epoch": 14}, []),  # 0.5 to the power of 10 in the last epoch
        ({"max_epoch": 15}, ["from epoch 14 on .* from anneal_epoch 5 on every epoch multiplies it by 0.5"]),
        ({"max_epoch": 15, "lr_shrink": 1.0}, []),
        ({"max_epoch": 15, "anneal_epoch": None, "lr_shrink": None}, []),
        ({"max_epoch": 10_000, "anneal_epoch": "last", "warmup_updates": 10**9}, ["1,000,000 updates"]),
    ],
)
def test_a_learning_rate_that_stays_or_becomes_too_small_is_said(changes, said):
    found = list(hints(Training.model_validate(SETTINGS | {"max_epoch": 8} | changes), 100))
    assert len(found) == len(said)
    for one, words in zip(found, said, strict=True):
        assert re.search(words, one)
