"""The shape of every parameter of a mechanism, as the equations give them, at the small sizes of `shapes`."""

from typing import Any

import numpy as np

from . import Params
from .interface import System
from .shapes import V_X, A, D, E, H, R
from .shapes import shapes as cell_shapes
from .sizes import Shapes, Sizes, below
from .system import cell_class

S_MAX = 10
SIZES = Sizes(E, H, A, R, D, V_X, C=2 * H, wide=R)
ADDITIVE = ("W_a", "U_a", "b_a", "v")


def shapes(system: System) -> Shapes:
    """Of the cells that `shapes.shapes` does not know."""
    options = system.options.get(system.cell, {})
    if system.cell.startswith("luong"):
        if options.get("luong_base") == "rnnsearch_star":
            d2 = {name: shape for name, shape in cell_shapes(System("d2")).items() if name not in ADDITIVE}
            return d2 | luong_shapes(system.cell, C=2 * H)
        return lstm_shapes(options) | luong_shapes(system.cell, C=H)
    return cell_shapes(System("d2")) | cell_class(system.cell).shapes(SIZES, options)


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
