"""Markov condition: the last step's attention around a word (Cohn et al. 2016, Sec. 3.2)."""

import numpy as np

from .window import WindowTerm


class MarkovBias(WindowTerm):
    """p: W_m (A, 2k+1). State: alpha_{i-1,j}."""

    matrix = "W_m"
    way_out = ("W_m",)
    variations = ({"cohn_window": 2},)

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        self.state = [np.array([alpha_j]) for alpha_j in alpha]
