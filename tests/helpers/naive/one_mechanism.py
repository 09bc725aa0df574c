"""One sentence pair and systems of whole mechanisms, for the tests of their reference implementations."""

from tests.naive.interface import System

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 6, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
STAR = {"luong_base": "rnnsearch_star"}
LUONG = [f"luong_{name}" for name in ("global_dot", "global_general", "global_concat", "global_location")]
LUONG += ["luong_local_m", "luong_local_p"]


def system_of(cell: str, **options: str | bool | int) -> System:
    return System(cell, options={cell: options})


SYSTEMS = {
    "interactive": System("interactive"),
    "interactive separate": system_of("interactive", ia_separate_write=True),
    "gatt": System("gatt"),
    "gatt query": system_of("gatt", gatt_state="query"),
    "gatt reset before": system_of("gatt", gru_reset_before=True),
    "gatt_inv": System("gatt_inv"),
    "gatt_inv query": system_of("gatt_inv", gatt_state="query"),
    "gatt_inv reset before": system_of("gatt_inv", gru_reset_before=True),
    "dhea": System("dhea"),
    "multihead_additive": System("multihead_additive"),
    "multihead_additive two heads": system_of("multihead_additive", attention_heads=2),
    **{name: System(name) for name in LUONG},
    **{f"{name} on d2": system_of(name, **STAR) for name in LUONG if name != "luong_global_dot"},
    **{f"{name} narrow": system_of(name, local_window=1) for name in LUONG[-2:]},
    "luong_global_general unfed": system_of("luong_global_general", input_feeding=False),
    "luong_global_general one layer": system_of("luong_global_general", luong_layers=1),
    "luong_local_p renorm": system_of("luong_local_p", local_window=2, local_renorm=True),
    **{f"{name} without eos": system_of(name, attend_eos=False) for name in LUONG},
}
