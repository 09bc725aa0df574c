"""What a term is: one idea of one paper, which takes part in the loop of `system.run` at four places."""

from importlib import import_module

import numpy as np

from . import Params, part
from .interface import Sentence, System


class Term:
    """A term that does nothing. p: the parameters below the term's name; state: one vector (D) a source position."""

    state: list[np.ndarray]

    def __init__(self, p: Params) -> None:
        self.p = p

    def start(self, sentence: Sentence) -> None:
        """Set the state before the first target word."""
        self.state = []

    def energy(self, j: int) -> np.ndarray | float:
        """What is added inside the tanh of e_ij (A), from the state of step i-1."""
        return 0.0

    def read(self, alpha: np.ndarray) -> np.ndarray | float:
        """What is added to the readout, already projected (R), from the state of step i-1."""
        return 0.0

    def update(self, alpha: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        """From the state of step i-1 to that of step i. alpha (S): alpha_i; s_prev: s_{i-1}; q: the query; s: s_i."""


def make_terms(system: System, params: Params) -> list[Term]:
    """For each name some_term the class SomeTerm of the module some_term here, with its parameters and options."""
    terms = []
    for name in system.terms:
        some_term = getattr(import_module(f".{name}", __package__), name.title().replace("_", ""))
        terms.append(some_term(part(params, name), **system.options.get(name, {})))
    return terms
