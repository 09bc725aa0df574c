"""Guided alignment: one head of a Transformer shall attend to what a word is linked with (Garg et al. 2019, Sec. 4)."""

import numpy as np

from . import Params
from .attention import softmax


def attention_of_head(x: np.ndarray, h: np.ndarray, p: Params, heads: int, head: int) -> np.ndarray:
    """A (T, S) of one head, counted from 0, among so many. x (T, D): what the decoder's layer asks with; h (S, D): the
    encoder's output; p: W_q and W_k (D, D), b_q and b_k (D), of which a head has equal shares of the rows.

    A_ij = softmax over j of q_i . k_j / sqrt(D / heads).
    """
    width = len(p["b_q"]) // heads
    own = slice(head * width, (head + 1) * width)
    rows = []
    for x_i in x:
        q = p["W_q"][own] @ x_i + p["b_q"][own]
        rows.append(softmax(np.array([q @ (p["W_k"][own] @ h_j + p["b_k"][own]) / np.sqrt(width) for h_j in h])))
    return np.array(rows)


def guided_alignment(alpha: np.ndarray, links: np.ndarray, coefficient: float = 0.05) -> complex | float:
    """lambda L_a, the cross-entropy -sum_i sum_j G_ij log alpha_ij of a head's attention (T, S), summed as the NLL is.

    links (T, S): 0/1, the pair of the two eos last. G_ij: each y_i's links in equal shares; a word without any is left
    out, and so is eos, which the aligner did not link.
    """
    total: complex | float = 0.0
    for i in range(len(links) - 1):
        linked = [j for j in range(links.shape[1]) if links[i, j]]
        for j in linked:
            total = total - np.log(alpha[i, j]) / len(linked)
    return coefficient * total
