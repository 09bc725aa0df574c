"""The demo's sentence pairs, made once."""

import pytest

from stages.corpora.demo import Pair, generate

SETS = ("train", "dev", "test", "gold")


@pytest.fixture(scope="session")
def sets() -> dict[str, list[Pair]]:
    return generate(train=2000, dev=300, test=300, gold=200, seed=1)


@pytest.fixture(scope="session")
def pairs(sets: dict[str, list[Pair]]) -> list[Pair]:
    return [pair for name in SETS for pair in sets[name]]
