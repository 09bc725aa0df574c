"""What goes into `system.run` and what comes out."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class System(NamedTuple):
    """cell: "d1", "d2" or "encdec"; terms: their module names; readout: "tanh", "maxout" or "linear".

    options: arguments of the cell or of a term, by its name, as in {"target_history": {"state": "cur"}}.
    """

    cell: str
    terms: tuple[str, ...] = ()
    readout: str = "tanh"
    options: Mapping[str, Mapping[str, str]] = {}


class Sentence(NamedTuple):
    """One source sentence."""

    ids: list[int]  # (S) eos included
    x: np.ndarray  # (S, E) embeddings
    h: list[np.ndarray]  # S annotations (C)


class Result(NamedTuple):
    """Row i-1 belongs to target step i; only `states` and `histories` begin with a row 0, before the first word."""

    logits: np.ndarray  # (T, V) o_i
    weights: np.ndarray | None  # (T, S) alpha_i, None without attention
    contexts: np.ndarray  # (T, C) c_i
    queries: np.ndarray  # (T, H) q_i
    states: np.ndarray  # (T + 1, H) s_0 … s_T
    annotations: np.ndarray  # (S, C) h_j
    histories: dict[str, np.ndarray]  # term -> (T + 1, S, D)
