"""Exact derivatives of reference implementations by the complex step: f(x + ih) = f(x) + ih f'(x) + O(h²)."""

from collections.abc import Callable

import numpy as np

from . import Params

STEP = 1e-30


def directional(f: Callable[[Params], complex], params: Params, direction: Params) -> float:
    """d/dt f(params + t * direction) at t = 0; f is real for real params, and parameters without a direction stay.

    Raises ValueError for a direction that no parameter has, by name or by shape.
    """
    for name, array in direction.items():
        if name not in params or params[name].shape != array.shape:
            raise ValueError(f"no parameter {name} of shape {array.shape}")
    stepped = {name: array + 1j * STEP * direction[name] for name, array in params.items() if name in direction}
    return float(np.imag(f(params | stepped)) / STEP)


def gradient(f: Callable[[Params], complex], params: Params, name: str) -> np.ndarray:
    """df / d params[name], one complex step for each of its numbers: for small arrays."""
    result = np.zeros(params[name].shape)
    for index in np.ndindex(result.shape):
        unit = np.zeros(result.shape)
        unit[index] = 1.0
        result[index] = directional(f, params, {name: unit})
    return result
