"""The shape of every parameter of a cell with terms, as the equations give them, at small sizes."""

import numpy as np

from . import Params
from .interface import System
from .sizes import Shapes, Sizes, below, gru_shapes
from .term import term_class

E, H, A, R, D, V_X, V_Y = 3, 4, 5, 9, 2, 7, 6


def shapes(system: System) -> Shapes:
    """Of "d1", "d2" and "encdec"."""
    options = {name: value for own in system.options.values() for name, value in own.items()}
    terms = {name: term_class(name) for name in system.terms}
    wide = 2 * R if system.readout == "maxout" else R
    sizes = Sizes(E, H, A, R, D, V_X, H if system.cell == "encdec" else 2 * H, wide)
    sizes = sizes._replace(C=sizes.C + sum(term.widening(sizes) for term in terms.values()))
    C, entering = sizes.C, sizes.C + sum(term.extra_width(sizes, options) for term in terms.values())
    result = {"E_x": (V_X, E), "E_y": (V_Y, E), "L_s": (wide, H), "L_y": (wide, E), "L_c": (wide, C), "b_t": (wide,)}
    result |= {"W_o": (V_Y, R), "b_o": (V_Y,)}
    for direction in ("enc_f",) if system.cell == "encdec" else ("enc_f", "enc_b"):
        result |= below(direction, gru_shapes(E, H) | {"b_U": (3 * H,)})
    if system.cell == "encdec":
        result |= {"V": (C, H), "b_V": (C,), "V_prime": (H, C), "b_V_prime": (H,)}
    else:
        result |= {"W_a": (A, H), "U_a": (A, C), "v": (A,)}
    if system.cell == "d1":
        result |= {"W_s": (H, H), "b_s": (H,)}
    if system.cell == "d2":
        result |= {"W_init": (H, C), "b_init": (H,), "b_a": (A,)}
        result |= below("gru_1", gru_shapes(E, H)) | below("gru_2", gru_shapes(entering, H))
    else:
        result |= below("gru", gru_shapes(E, H) | {"C": (3 * H, entering)})
    for name, term in terms.items():
        result |= below(name, term.shapes(sizes, options))
    return result


def random_params(system: System, seed: int) -> Params:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0, 0.7, shape) for name, shape in shapes(system).items()}
