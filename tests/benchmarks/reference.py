"""An unoptimised baseline's weights as those of its reference implementation."""

import numpy as np

from benchmarks.baseline import UnoptimisedBaseline
from tests.naive.interface import System

HISTORIES = ("source_history", "target_history")


def system_of(baseline: UnoptimisedBaseline) -> System:
    return System("d2", () if baseline.source is None else HISTORIES)


def parameters(baseline: UnoptimisedBaseline) -> dict[str, np.ndarray]:
    """The baseline's weights by the papers' symbols; a second bias of a cell, which the papers lack, must be zero."""
    arrays = {name: value.detach().cpu().numpy() for name, value in baseline.named_parameters()}
    symbols = {
        "E_x": "E_x.weight", "E_y": "E_y.weight", "W_init": "W_init.weight", "b_init": "W_init.bias",
        "W_a": "W_a.weight", "U_a": "U_a.weight", "b_a": "U_a.bias",
        "L_s": "L_s.weight", "L_y": "L_y.weight", "L_c": "L_c.weight", "b_t": "L_s.bias",
        "W_o": "W_o.weight", "b_o": "W_o.bias",
    }  # fmt: skip
    found = {symbol: arrays[name] for symbol, name in symbols.items()} | {"v": arrays["v.weight"][0]}
    for direction, suffix in (("enc_f", "l0"), ("enc_b", "l0_reverse")):
        for symbol, name in (("W", "weight_ih"), ("U", "weight_hh"), ("b", "bias_ih"), ("b_U", "bias_hh")):
            found[f"{direction}.{symbol}"] = arrays[f"encoder.{name}_{suffix}"]
    cells = {"gru_1": "gru_1", "gru_2": "gru_2"}
    if baseline.source is not None:
        cells |= {"source_history.gru": "source.cell", "target_history.gru": "target.cell"}
        found |= {
            "source_history.V_h": arrays["source.V.weight"], "source_history.L": arrays["source.L.weight"],
            "target_history.V_s": arrays["target.V.weight"], "target_history.L": arrays["target.L.weight"],
        }  # fmt: skip
    for symbol, name in cells.items():
        for part, of_torch in (("W", "weight_ih"), ("U", "weight_hh"), ("b", "bias_ih")):
            found[f"{symbol}.{part}"] = arrays[f"{name}.{of_torch}"]
    return found
