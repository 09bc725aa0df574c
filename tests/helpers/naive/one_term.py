"""One sentence pair and systems of single terms, for the tests of the terms' reference implementations."""

import numpy as np

from tests.naive import Params
from tests.naive.interface import Result, System
from tests.naive.shapes import random_params, shapes
from tests.naive.system import run

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
S, T = len(SOURCE), len(TARGET)
LINKS = np.array([[1, 0, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]])  # y_3 and x_3 have none


def of_term(name: str, cell: str = "d2", **options: object) -> System:
    return System(cell, (name,), options={name: options})


def run_all(system: System, params: Params) -> Result:
    return run(system, params, SOURCE, PREVIOUS, TARGET, LINKS)


def random_run(system: System, seed: int) -> tuple[Params, Result]:
    """Random parameters and what the system makes of them."""
    params = random_params(system, seed)
    return params, run_all(system, params)


def loss_of(system: System, params: Params) -> complex | float:
    return run_all(system, params).losses[system.terms[-1]]


def without_terms(system: System, params: Params) -> tuple[System, Params]:
    """The baseline, with the first columns of the matrices that the terms widen."""
    baseline = System(system.cell, readout=system.readout)
    return baseline, {name: params[name][..., : shape[-1]] for name, shape in shapes(baseline).items()}


def handing_through(params: Params, gain: np.ndarray, cell: str = "gru_2") -> Params:
    """Parameters whose GRU `cell` keeps nothing of the old state and gives back tanh(gain @ input)."""
    size = len(gain)
    W, U, b = np.vstack([0 * gain, 0 * gain, gain]), np.zeros((3 * size, size)), np.repeat([0.0, -60.0, 0.0], size)
    return params | {f"{cell}.W": W, f"{cell}.U": U, f"{cell}.b": b}
