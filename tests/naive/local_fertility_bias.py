"""Local fertility: all attention so far around a word (Cohn et al. 2016, Sec. 3.3)."""

import numpy as np

from .window import WindowTerm


class LocalFertilityBias(WindowTerm):
    """p: W_f (A, 2k+1). State: sum_{k<i} alpha_kj."""

    matrix = "W_f"
    way_out = ("W_f",)
    variations = ({"cohn_window": 0},)

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.state[j] + alpha[j]
