"""The shape of every parameter of a cell with terms or of a mechanism, as the equations give them, at small sizes."""

from typing import Any

import numpy as np

from . import Params
from .interface import System
from .sizes import Shapes, Sizes, below, gru_shapes
from .system import cell_class
from .term import term_class

E, H, A, R, D, V_X, V_Y = 3, 4, 5, 9, 2, 7, 6
S_MAX = 10
SIZES = Sizes(E, H, A, R, D, V_X, C=2 * H, wide=R)
ADDITIVE = ("W_a", "U_a", "b_a", "v")


def shapes(system: System) -> Shapes:
    if system.cell in ("d1", "d2", "encdec"):
        return cell_shapes(system)
    options, d2 = system.options.get(system.cell, {}), cell_shapes(System("d2"))
    if not system.cell.startswith("luong"):
        return d2 | cell_class(system.cell).shapes(SIZES, options)
    if options.get("luong_base") == "rnnsearch_star":
        rest = {name: shape for name, shape in d2.items() if name not in ADDITIVE}
        return rest | luong_shapes(system.cell, C=2 * H)
    return lstm_shapes(options) | luong_shapes(system.cell, C=H)


def cell_shapes(system: System) -> Shapes:
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


def lstm_shapes(options: dict[str, Any]) -> Shapes:
    """Of Luong's own encoder, decoder and readout."""
    words = {name: shape for name, shape in cell_shapes(System("d2")).items() if name in ("E_x", "E_y", "b_o")}
    result = words | {"W_c": (H, 2 * H), "W_o": (words["E_y"][0], H)}
    fed = E + H if options.get("input_feeding", True) else E
    for k in range(options.get("luong_layers", 2)):
        for side, width in (("enc", H if k else E), ("dec", H if k else fed)):
            layer = {"W": (4 * H, width), "U": (4 * H, H), "b": (4 * H,), "b_U": (4 * H,)}
            result |= below(f"{side}_{k}", layer)
    return result


def luong_shapes(cell: str, C: int) -> Shapes:
    """Of the score, the query being H wide."""
    return {
        "luong_global_dot": {},
        "luong_global_general": {"W_a": (H, C)},
        "luong_global_concat": {"W_a": (H, H + C), "v": (H,)},
        "luong_global_location": {"W_l": (S_MAX, H)},
        "luong_local_m": {"W_a": (H, C)},
        "luong_local_p": {"W_a": (H, C), "W_p": (H, H), "v_p": (H,)},
    }[cell]


def random_params(system: System, seed: int) -> Params:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0, 0.7, shape) for name, shape in shapes(system).items()}
