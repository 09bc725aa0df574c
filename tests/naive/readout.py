"""From the readout's sum to t_i (R): tanh (dl4mt), maxout (Bahdanau et al. 2015), linear (Xue et al. 2019, Eq. 8)."""

import numpy as np


def tanh(t: np.ndarray) -> np.ndarray:
    return np.tanh(t)


def maxout(t: np.ndarray) -> np.ndarray:
    """t~ (2R): the larger of each adjacent pair (t~[2k], t~[2k+1]); complex values are compared by their real part."""
    first, second = t[0::2], t[1::2]
    return np.where(first.real >= second.real, first, second)


def linear(t: np.ndarray) -> np.ndarray:
    return t


READOUTS = {"tanh": tanh, "maxout": maxout, "linear": linear}
