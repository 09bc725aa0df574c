"""What both coverage embeddings have in common (Mi et al. 2016, Secs. 3 and 4)."""

import numpy as np

from . import Params
from .interface import Sentence, Target
from .norm import l1, l2
from .term import Term


class CoverageEmbedding(Term):
    """p: K (V_x, D), V_c (A, D). State: c_j (D), at first K[x_j], "full".

    covemb_objective: "none", "final" (Eq. 6: the last state shall be empty), "supervised" (Eq. 7: every state shall be,
    from the last word on that x_j yields; from the final state on where links say nothing, and for eos).
    covemb_norm: 1 or 2, the norm of both; coefficient: lambda of both.
    """

    only_a_base = True
    way_out = ("V_c",)
    empty_at_first = False

    def __init__(self, p: Params, covemb_objective: str, covemb_norm: int, coefficient: float) -> None:
        super().__init__(p)
        self.objective = ("none", "final", "supervised").index(covemb_objective)
        self.norm = {1: l1, 2: l2}[covemb_norm]
        self.coefficient = coefficient

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [self.p["K"][x_j] for x_j in sentence.ids]
        self.after = []  # c_1 … c_t, each a list over j

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_c"] @ self.state[j]

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        self.alpha = alpha  # the state waits for y_i

    def observe(self, y: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.consumed(self.state[j], self.alpha[j], y)
        self.after.append(list(self.state))

    def consumed(self, c_j: np.ndarray, alpha_j: complex | float, y: np.ndarray) -> np.ndarray:
        """c_tj from c_{t-1,j}, alpha_tj and E_y(y_t)."""
        raise NotImplementedError

    def loss(self, target: Target) -> complex | float | None:
        """Raises ValueError for the supervised objective without links."""
        T, S = target.alpha.shape
        if self.objective == 0:
            return None
        last = [T] * S if self.objective == 1 else last_links(target.links)
        total = 0.0
        for j in range(S):
            for t in range(last[j], T + 1):
                total = total + self.norm(self.after[t - 1][j])
        return self.coefficient * total


def last_links(links: np.ndarray | None) -> list[int]:
    """a_j, counted from 1: the last target word linked with x_j, and T where there is none and for eos."""
    if links is None:
        raise ValueError('covemb_objective "supervised" needs links')
    T, S = links.shape
    last = [T] * S
    for j in range(S - 1):
        for i in range(T):
            if links[i, j]:
                last[j] = i + 1
    return last
