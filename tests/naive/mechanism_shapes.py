"""The shape of every parameter of a mechanism, as the equations give them, at the small sizes of `shapes`."""

from typing import Any

import numpy as np

from . import Params
from .interface import System
from .shapes import A, E, H, R, Shapes, below, gru_shapes
from .shapes import shapes as cell_shapes

S_MAX = 10
ADDITIVE = ("W_a", "U_a", "b_a", "v")


def shapes(system: System) -> Shapes:
    """Of the cells that `shapes.shapes` does not know."""
    options = system.options.get(system.cell, {})
    if system.cell.startswith("luong"):
        if options.get("luong_base") == "rnnsearch_star":
            d2 = {name: shape for name, shape in cell_shapes(System("d2")).items() if name not in ADDITIVE}
            return d2 | luong_shapes(system.cell, C=2 * H)
        return lstm_shapes(options) | luong_shapes(system.cell, C=H)
    return cell_shapes(System("d2")) | mechanism_shapes(system.cell, options)


def mechanism_shapes(cell: str, options: dict[str, Any]) -> Shapes:
    """What a mechanism on RNNsearch* has more, or has in another width."""
    C = 2 * H
    match cell:
        case "interactive":
            result = {"W_F": (C, H), "b_F": (C,), "W_U": (C, H), "b_U": (C,)}
            if options.get("ia_separate_write"):
                result |= {"W_aw": (A, H), "U_aw": (A, C), "b_aw": (A,), "v_w": (A,)}
            return result
        case "gatt":
            return below("gru", gru_shapes(H, C))
        case "gatt_inv":
            return below("gru", gru_shapes(C, H)) | {"U_a": (A, H), "gru_2.W": (3 * H, H), "L_c": (R, H)}
        case "dhea":
            result = {"gru_2.W": (3 * H, C + H), "L_c": (R, C + H), "W_t": (A, H), "U_t": (A, H), "v_t": (A,)}
            return result | {"W_g": (H, H), "C_s": (H, C), "C_t": (H, H), "b_g": (H,), "P": (H, H)}
    raise ValueError(f"no mechanism {cell}")


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
