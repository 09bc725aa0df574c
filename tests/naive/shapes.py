"""The shape of every parameter of a cell with terms, as the equations give them, at small sizes."""

import numpy as np

from . import Params
from .interface import System

E, H, A, R, D, V_X, V_Y = 3, 4, 5, 9, 2, 7, 6
Shapes = dict[str, tuple[int, ...]]


def shapes(system: System) -> Shapes:
    """Of "d1", "d2" and "encdec"."""
    options = {name: value for own in system.options.values() for name, value in own.items()}
    C = H if system.cell == "encdec" else 2 * H
    C += E if "source_bridging" in system.terms else 0
    entering = C + (E if "target_bridging" in system.terms else 0) + (D if options.get("memory_in_context") else 0)
    wide = 2 * R if system.readout == "maxout" else R
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
    for name in system.terms:
        result |= below(name, term_shapes(name, options, C, wide))
    return result


def term_shapes(name: str, options: dict[str, object], C: int, wide: int) -> Shapes:
    """Without the prefix `name.`; options: those of all terms together."""
    match name:
        case "source_history":
            return {"V_h": (A, D), "L": (wide, D)} | below("gru", gru_shapes(C, D))
        case "target_history":
            return {"V_s": (A, D), "L": (wide, D)} | below("gru", gru_shapes(H, D))
        case "linguistic_coverage":
            return {"V_a": (A, 1)}
        case "linguistic_coverage_fertility":
            return {"V_a": (A, 1), "U_f": (1, C)} | ({"b_f": (1,)} if options.get("fertility_bias") else {})
        case "nn_coverage_tanh":
            return {"V_a": (A, D), "U": (D, D), "p": (D,), "A": (D, C), "B": (D, H), "b": (D,)}
        case "nn_coverage_gru":
            return {"V_a": (A, D), "U": (3 * D, D), "p": (3 * D,), "A": (3 * D, C), "B": (3 * D, H), "b": (3 * D,)}
        case "coverage_embedding_gru":
            return {"K": (V_X, D), "V_c": (A, D), "w_a": (3 * D,)} | gru_shapes(E, D)
        case "coverage_embedding_sub":
            return {"K": (V_X, D), "V_c": (A, D), "W_yc": (D, E)}
        case "direct_bridging":
            return {"W": (E, E)}
        case "position_bias":
            return {"W_p": (A, 3)}
        case "markov_bias" | "local_fertility_bias":
            k = options.get("cohn_window", 1)
            return {"W_m" if name == "markov_bias" else "W_f": (A, 2 * k + 1)}
        case "global_fertility":
            return {"W_h": (H, C), "b_h": (H,), "w_mu": (H,), "b_mu": (1,), "w_v": (H,), "b_v": (1,)}
        case "recurrent_attention":
            k = options.get("recurrent_attention_window", 5)
            lstm = {"V_d": (A, D), "W": (4 * D, 2 * k + 1), "U": (4 * D, D), "b": (4 * D,)}
            return lstm | ({"L": (wide, D)} if options.get("memory_in_context") else {})
        case "implicit_distortion":
            if options.get("recatt") == "context":
                return {"V_g": (A, C)}
            return {"V_g": (A, H)} | below("gru", gru_shapes(C, H))
        case "implicit_fertility":
            gate = {"W_x": (H, E), "U_x": (H, H), "C_x": (H, C), "b_x": (H,)}
            return gate | {"W_d": (H, C), "b_d": (H,), "V_d": (H, H)}
        case "source_bridging" | "target_bridging" | "supervised_attention":
            return {}
    raise ValueError(f"no term {name}")


def gru_shapes(width: int, size: int) -> Shapes:
    return {"W": (3 * size, width), "U": (3 * size, size), "b": (3 * size,)}


def below(name: str, own: Shapes) -> Shapes:
    return {f"{name}.{key}": shape for key, shape in own.items()}


def random_params(system: System, seed: int) -> Params:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0, 0.7, shape) for name, shape in shapes(system).items()}
