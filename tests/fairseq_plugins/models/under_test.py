"""The systems under test, each built once, and the marks that run a test on all of them."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import pytest
import torch

from tests.helpers.support import OF_FAIRSEQ, RECURRENT, SYSTEMS, Subject, build, terms_of
from tests.helpers.variations import mechanism

LENGTHS = (1, 2, 7, 17)
ROUNDING = {torch.float64: 1e-12, torch.float32: 2e-5}
EXACT, FLOAT = torch.float64, torch.float32


def _sample(size: int) -> list[str]:
    """So many systems that have every term between them, and as many of the mechanisms as there is room for."""
    terms = {name: terms_of(variant) for name, variant in SYSTEMS.items()}
    left, chosen = set().union(*terms.values()), []
    while left:
        chosen.append(max(terms, key=lambda name: len(terms[name] & left)))
        left -= terms[chosen[-1]]
    seen = set()
    for name, variant in RECURRENT.items():
        if (kind := mechanism(variant.arch)) and kind not in seen and len(chosen) < size:
            seen.add(kind)
            chosen.append(name)
    return chosen


SAMPLE = _sample(10)
WHOLE = [*_sample(len(SYSTEMS)), "cohn_agreement"]
"""They have all terms and mechanisms, and one is two models: what holds for these holds for combinations of them."""
MIXED = ("everything at once", "everything at once on rnnsearch")


def cases(names: Iterable[str], *values: Any, quick: Collection[str] = WHOLE) -> list:
    """Cases of a test. Those of systems that are made of what the quick ones have wait for `make test-all`."""
    quick = (*quick, *OF_FAIRSEQ)
    return [pytest.param(name, *values, marks=() if name in quick else pytest.mark.slow) for name in names]


recurrent = pytest.mark.parametrize("name", cases(RECURRENT))
whole = pytest.mark.parametrize("name", WHOLE)
whole_and_fairseqs = pytest.mark.parametrize("name", [*WHOLE, *OF_FAIRSEQ])
systems = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sample) if name in SAMPLE else name for name in SYSTEMS]
)
everything = pytest.mark.parametrize("name", cases([*RECURRENT, MIXED[0], *OF_FAIRSEQ]))


@cache
def subject(name: str, dtype: torch.dtype = EXACT) -> Subject:
    """Models are built once; a test that changes weights builds its own."""
    return build({**SYSTEMS, **OF_FAIRSEQ}[name], dtype=dtype)


def working_precision(name: str) -> torch.dtype:
    """fairseq's own attention rounds to fp32 inside, whatever its weights are."""
    return FLOAT if name in OF_FAIRSEQ else EXACT
