"""A source position's neighbourhood."""

from collections.abc import Sequence

import numpy as np


def window(a: Sequence[complex | float], j: int, k: int) -> np.ndarray:
    """xi(a, j) = [a_{j-k}, …, a_{j+k}], zero beyond the ends (Cohn et al. 2016, Sec. 3; Yang et al. 2016)."""
    return np.array([a[near] if 0 <= near < len(a) else 0.0 for near in range(j - k, j + k + 1)])
