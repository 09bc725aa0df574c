"""The systems under test, each built once, and the marks that run a test on all of them."""

from functools import cache

import pytest
import torch

from tests.helpers.support import OF_FAIRSEQ, RECURRENT, SYSTEMS, Subject, build

LENGTHS = (1, 2, 7, 31)
ROUNDING = {torch.float64: 1e-12, torch.float32: 2e-5}
EXACT, FLOAT = torch.float64, torch.float32

recurrent = pytest.mark.parametrize("name", RECURRENT)
systems = pytest.mark.parametrize("name", SYSTEMS)
everything = pytest.mark.parametrize("name", {**RECURRENT, **OF_FAIRSEQ})


@cache
def subject(name: str, dtype: torch.dtype = EXACT) -> Subject:
    """Models are built once; a test that changes weights builds its own."""
    return build({**SYSTEMS, **OF_FAIRSEQ}[name], dtype=dtype)


def working_precision(name: str) -> torch.dtype:
    """fairseq's own attention rounds to fp32 inside, whatever its weights are."""
    return FLOAT if name in OF_FAIRSEQ else EXACT
