"""What a term is: one idea of one paper. The one place that lists where a term takes part in the loop of `system.run`.

Before the first step: annotate, start. In step i: observe (from the second step on, and once more after the last),
prepare, energy, normalise, read, extra, candidate, update. After the last word: loss. Whatever is called before
`update` sees the state of step i-1.
"""

import ast
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from . import Params, part
from .interface import Sentence, System, Target
from .sizes import Shapes, Sizes


class Term:
    """A term that does nothing. p: the parameters below the term's name.

    state: one vector (D) a source position, a single one for the sentence, or none. Options are arguments of the
    constructor, whose defaults are those of the paper.

    normalises: whether it takes the place of the softmax, which one term of a system can.

    What tests must know of a term:
    variations: further values of its options under which it is tested.
    way_out: the parameters without which it changes nothing in the decoder.
    empty_at_first: whether the first target word is that of the system without it.
    only_a_base: set by what is no term, but what terms have in common.
    only_a_loss: whether it changes nothing but the loss.
    knows_places: whether it matters to it where in the source a word stands.
    """

    state: list[np.ndarray]
    normalises: ClassVar[bool] = False
    variations: ClassVar[tuple[dict[str, Any], ...]] = ()
    way_out: ClassVar[tuple[str, ...]] = ()
    empty_at_first: bool = True
    only_a_base: ClassVar[bool] = False
    only_a_loss: ClassVar[bool] = False
    knows_places: ClassVar[bool] = False

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        """Of its parameters. options: those of all terms of the system that are given."""
        return {}

    @classmethod
    def widening(cls, z: Sizes) -> int:
        """Width of what `annotate` gives."""
        return 0

    @classmethod
    def extra_width(cls, z: Sizes, options: Mapping[str, Any]) -> int:
        """Width of what `extra` gives."""
        return 0

    def __init__(self, p: Params) -> None:
        self.p = p

    def annotate(self, x: np.ndarray) -> np.ndarray:
        """(S, any width) what stands behind h_j, for whoever reads it. x: (S, E)."""
        return x[:, :0]

    def start(self, sentence: Sentence) -> None:
        """Set the state before the first target word."""
        self.sentence = sentence
        self.state = []

    def observe(self, y: np.ndarray) -> None:
        """The part of step i-1's update that needs E_y(y_{i-1}) (E), which nobody knows before step i."""

    def prepare(self, i: int, s_prev: np.ndarray) -> None:
        """What the energies of step i share for all source positions. i counts from 1; s_prev: s_{i-1}."""

    def energy(self, j: int) -> np.ndarray | float:
        """What is added inside the tanh of e_ij (A). j counts from 0."""
        return 0.0

    def normalise(self, e: np.ndarray) -> np.ndarray:
        """alpha_i (S) from e_i (S), of a term that takes the place of the softmax."""
        raise NotImplementedError

    def read(self, alpha: np.ndarray) -> np.ndarray | float:
        """What is added to the readout, already projected (R)."""
        return 0.0

    def extra(self, alpha: np.ndarray) -> np.ndarray:
        """What stands behind c_i in the recurrence (any width)."""
        return np.zeros(0)

    def candidate(self, y: np.ndarray, q: np.ndarray, c: np.ndarray) -> np.ndarray | float:
        """What is added inside the tanh of the recurrence's candidate (H). y: E_y(y_{i-1}); c: c_i without extras."""
        return 0.0

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        """From the state of step i-1 to that of step i. alpha (S): alpha_i; c: c_i; s_prev: s_{i-1}; q: q_i; s: s_i."""

    def loss(self, target: Target) -> complex | float | None:
        """The term's own loss over the sentence, times its coefficient; None for a term that has none."""
        return None


def term_class(name: str) -> type[Term]:
    """Of some_term the class SomeTerm of the module some_term here."""
    return getattr(import_module(f".{name}", __package__), name.title().replace("_", ""))


def term_names() -> list[str]:
    """Of all terms that have a reference implementation here: modules some_term with a class SomeTerm(…)."""
    modules = sorted(path for path in Path(__file__).parent.glob("[!_]*.py") if not path.name.startswith("test_"))
    return [path.stem for path in modules if _is_term(path)]


def _is_term(path: Path) -> bool:
    """Without importing it: some modules here are the tests' own."""
    classes = (node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef))
    named = next((node for node in classes if node.name == path.stem.title().replace("_", "")), None)
    if named is None or named.name == Term.__name__:
        return False
    kind = term_class(path.stem)
    return issubclass(kind, Term) and not vars(kind).get("only_a_base", False)


def make_terms(system: System, params: Params) -> dict[str, Term]:
    """Every term of the system by its name, with its parameters and options."""
    return {name: term_class(name)(part(params, name), **system.options.get(name, {})) for name in system.terms}
