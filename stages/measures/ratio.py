"""The quotient that every measure ends in, defined once so that 0/0 is the same everywhere."""

import numpy as np


def ratio(numerator: np.ndarray | float, denominator: np.ndarray | float) -> np.ndarray:
    """Elementwise numerator / denominator, shape (...); nan (undefined) where the denominator is 0."""
    numerator, denominator = np.asarray(numerator, float), np.asarray(denominator, float)
    defined = denominator != 0
    return np.where(defined, numerator / np.where(defined, denominator, 1.0), np.nan)
