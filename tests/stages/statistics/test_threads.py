"""Statistics say the same, digit for digit, however many threads a processor has and in whatever order it adds."""

import os
import subprocess
import sys

import numpy as np
import pytest

from stages.statistics import resampling
from stages.statistics.resampling import SeedRuns
from tests.helpers.paths import ROOT

SYSTEMS, SENTENCES, COLUMNS = 47, 300, 4
"""Enough that a matrix product is shared out among threads."""

PROGRAM = """
from tests.stages.statistics.test_threads import compared
print(*(number.hex() for number in compared()), end="")
"""


def systems() -> dict[str, SeedRuns]:
    """Their rows are no whole numbers."""
    random = np.random.default_rng(3)
    return {str(k): [[random.gamma(9, 2, (SENTENCES, COLUMNS))]] for k in range(SYSTEMS)}


def ratio(totals: np.ndarray) -> np.ndarray:
    return 100 * totals[..., 0] / totals[..., 1:].sum(-1)


def compared() -> list[float]:
    """All that both tests say of the systems against the first."""
    found = systems()
    pairs = [(name, "0") for name in found if name != "0"]
    drawn = resampling.paired_bootstrap(found, pairs, ratio, resamples=300, seed=1)
    swapped = resampling.approximate_randomisation(found, pairs, ratio, resamples=300, seed=1)
    return [number for pair in pairs for number in (*drawn[pair], swapped[pair])]


@pytest.mark.process
@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_no_digit(threads: int) -> None:
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    program = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(program, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == " ".join(number.hex() for number in compared())


def test_order_of_sentences_changes_no_digit() -> None:
    """Of a sum over resampled sentences: nor would the parts that threads share it out in."""
    _, (rows,) = resampling._side_by_side(systems(), [("0", "1")])
    weights = np.random.default_rng(4).poisson(1, (50, SENTENCES)).astype(float)
    order = np.random.default_rng(5).permutation(SENTENCES)
    (one,), (other,) = (resampling._totals(weights[:, k], [rows[k]]) for k in (np.arange(SENTENCES), order))
    assert np.array_equal(one, other)
    assert np.allclose(one, np.einsum("bn,nsrk->bsrk", weights, rows), rtol=1e-12)


def test_rows_are_what_they_were() -> None:
    """To less than a difference that counts for none."""
    found = systems()
    index, (rows,) = resampling._side_by_side(found, [("0", "1")])
    for name, k in index.items():
        for run, (given,) in enumerate(found[name]):
            assert np.abs(rows[:, k, run] - given).max() < resampling.SAME
