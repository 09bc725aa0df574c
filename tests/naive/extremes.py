"""The larger and the smaller of two numbers, also differentiable by a complex step: real parts decide."""

import numpy as np

Numbers = np.ndarray | complex | float


def maximum(x: Numbers, y: Numbers) -> np.ndarray:
    return np.where(np.real(x) >= np.real(y), x, y)


def minimum(x: Numbers, y: Numbers) -> np.ndarray:
    return np.where(np.real(x) <= np.real(y), x, y)
