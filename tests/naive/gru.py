"""The two GRU cells. Gate order in the stacked matrices: r, z, n."""

import numpy as np

from . import Params


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def gru(
    u: np.ndarray, h: np.ndarray, p: Params, candidate: np.ndarray | float = 0.0, reset_before: bool = False
) -> np.ndarray:
    """Reset-after: the reset gate scales the product U_n h. z keeps the old state (Mi et al. 2016, Sec. 3.1.1; dl4mt).

    u (I), h (D); p: W (3D, I), U (3D, D), b (3D), and b_U (3D) where the recurrent side has a bias too.
    candidate (D): what else stands inside the candidate's tanh; reset_before: the gate scales h instead of U_n h.
    """
    W_r, W_z, W_n = np.split(p["W"], 3)
    U_r, U_z, U_n = np.split(p["U"], 3)
    b_r, b_z, b_n = np.split(p["b"], 3)
    b_ur, b_uz, b_un = np.split(p["b_U"], 3) if "b_U" in p else (0.0, 0.0, 0.0)
    r = sigmoid(W_r @ u + b_r + U_r @ h + b_ur)
    z = sigmoid(W_z @ u + b_z + U_z @ h + b_uz)
    recurrent = U_n @ (r * h) + b_un if reset_before else r * (U_n @ h + b_un)
    n = np.tanh(W_n @ u + b_n + recurrent + candidate)
    return z * h + (1 - z) * n


def gru_reset_before(
    y: np.ndarray, s: np.ndarray, c: np.ndarray, p: Params, candidate: np.ndarray | float = 0.0
) -> np.ndarray:
    """Reset-before: the reset gate scales the state. Here z takes the NEW state (Bahdanau et al. 2015, appendix A.1.1).

    y (E), s (H), c (C); p: W (3H, E), U (3H, H), C (3H, C), b (3H). candidate (H): as in `gru`.
    """
    W_r, W_z, W = np.split(p["W"], 3)
    U_r, U_z, U = np.split(p["U"], 3)
    C_r, C_z, C = np.split(p["C"], 3)
    b_r, b_z, b = np.split(p["b"], 3)
    r = sigmoid(W_r @ y + U_r @ s + C_r @ c + b_r)
    z = sigmoid(W_z @ y + U_z @ s + C_z @ c + b_z)
    n = np.tanh(W @ y + U @ (r * s) + C @ c + b + candidate)
    return (1 - z) * s + z * n
