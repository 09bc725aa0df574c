"""What goes into `system.run` and what comes out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class System(NamedTuple):
    """cell: a name of `system.CELLS`; terms: their module names; readout: "tanh", "maxout" or "linear".

    options: arguments of the cell or of a term, by its name, as in {"target_history": {"target_history_state": "cur"}}.
    """

    cell: str
    terms: tuple[str, ...] = ()
    readout: str = "tanh"
    options: Mapping[str, Mapping[str, Any]] = {}


class Sentence(NamedTuple):
    """One source sentence."""

    ids: list[int]  # (S) eos included
    x: np.ndarray  # (S, E) embeddings
    h: list[np.ndarray]  # S annotations (C), widened


class Target(NamedTuple):
    """What a term's loss may look at once the whole target has been read."""

    y: np.ndarray  # (T, E) E_y(y_1) … E_y(y_T), eos last
    alpha: np.ndarray  # (T, S)
    links: np.ndarray | None  # (T, S) 0/1 with eos-eos at (T-1, S-1), None where no alignment is given


class Result(NamedTuple):
    """Row i-1 belongs to target step i; only `states` and `histories` begin with a row 0, before the first word.

    histories: of each term that has a state, one vector a source position, or a single one for the sentence. Row T of a
    coverage embedding needs y_T: without target_ids it is row T-1 once more.
    losses: of each term that has one, already times its coefficient; empty without target_ids.
    """

    logits: np.ndarray  # (T, V) o_i
    weights: np.ndarray | None  # (T, S) alpha_i, None without attention
    contexts: np.ndarray  # (T, C) c_i
    queries: np.ndarray  # (T, H) q_i
    states: np.ndarray  # (T + 1, H) s_0 … s_T
    annotations: np.ndarray  # (S, C) h_j
    histories: dict[str, np.ndarray]  # term -> (T + 1, S, D), or (T + 1, 1, D)
    losses: dict[str, complex | float]
