"""The LSTM cell without peepholes (Zaremba et al. 2014, Sec. 3.1). Gate order in the stacked matrices: i, f, g, o."""

import numpy as np

from . import Params
from .gru import sigmoid


def lstm(u: np.ndarray, h: np.ndarray, c: np.ndarray, p: Params) -> tuple[np.ndarray, np.ndarray]:
    """The next h and c.

    u (I), h (D), c (D); p: W (4D, I), U (4D, D), b (4D), and b_U (4D) where the recurrent side has a bias too.
    """
    W_i, W_f, W_g, W_o = np.split(p["W"], 4)
    U_i, U_f, U_g, U_o = np.split(p["U"], 4)
    b_i, b_f, b_g, b_o = np.split(p["b"] + p["b_U"] if "b_U" in p else p["b"], 4)
    i = sigmoid(W_i @ u + U_i @ h + b_i)
    f = sigmoid(W_f @ u + U_f @ h + b_f)
    g = np.tanh(W_g @ u + U_g @ h + b_g)
    o = sigmoid(W_o @ u + U_o @ h + b_o)
    c = f * c + i * g
    return o * np.tanh(c), c
