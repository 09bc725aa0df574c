"""Encoders (Xue et al. 2019, Eqs. 1-3)."""

import numpy as np

from . import Params, part
from .gru import gru


def forward(x: np.ndarray, p: Params) -> list[np.ndarray]:
    """h_j = GRU(x_j, h_{j-1}), h_0 = 0. x (S, E); p: the GRU's W, U, b, b_U. Returns S states (H)."""
    h = np.zeros(p["U"].shape[1])
    states = []
    for j in range(len(x)):
        h = gru(x[j], h, p)
        states.append(h)
    return states


def bidirectional(x: np.ndarray, params: Params) -> list[np.ndarray]:
    """h_j = [hf_j ; hb_j], hb_j = GRU(x_j, hb_{j+1}), hb_{S+1} = 0. params: enc_f.*, enc_b.*. Returns S of (2H)."""
    hf = forward(x, part(params, "enc_f"))
    hb_from_the_end = forward(x[::-1], part(params, "enc_b"))
    S = len(x)
    h = []
    for j in range(S):
        h.append(np.concatenate([hf[j], hb_from_the_end[S - 1 - j]]))
    return h
