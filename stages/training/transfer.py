"""Starting a system from the trained weights of another one that it extends (Kuang et al. 2018; Cohn et al. 2016)."""

from collections.abc import Mapping

import torch
from torch import Tensor

RECURRENCE = ("decoder.cell.gru_2.W", "decoder.cell.C")
"""Weights of an input [c_i ; what terms add to it], which `CONTEXT` tells apart."""
CONTEXT = "decoder.readout.L_c.weight"  # of c_i alone
NEW = 0.01  # standard deviation of new parameters and columns: "randomly initialize the additional parameters"


def extended(fresh: Mapping[str, Tensor], trained: Mapping[str, Tensor], prefix: str = "") -> dict[str, Tensor]:
    """The weights of a system that begins as ``trained``.

    A weight of the same name and shape is taken over. One with more columns takes the trained ones over in front (a
    wider annotation or input stands behind what was there); of an input with two parts, in front of either. New columns
    and new weights are drawn from N(0, 0.01^2), but what the new system begins with as 0 (embeddings of padding) stays
    0. Tables of integers are the new system's.

    Args:
        fresh: the weights of the new system; those outside ``prefix`` are left out.
        trained: the weights of the old system.
        prefix: where the old system stands within the new one, "" for the whole.

    Raises:
        ValueError: the old system has a weight that the new one has no place for, or whose place cannot be told.
    """
    wanted = {name.removeprefix(prefix): value for name, value in fresh.items() if name.startswith(prefix)}
    lost = sorted(set(trained) - set(wanted))
    if lost:
        raise ValueError(f"the base has what this one lacks: {', '.join(lost)}")
    widths = [weights[CONTEXT].shape[1] if CONTEXT in weights else 0 for weights in (trained, wanted)]
    return {prefix + name: _extend(name, value, trained, *widths) for name, value in wanted.items()}


def _extend(name: str, fresh: Tensor, trained: Mapping[str, Tensor], was: int, context: int) -> Tensor:
    """was, context: width of c_i in the old and in the new system."""
    if not fresh.is_floating_point():
        return fresh
    new = (torch.randn_like(fresh) * NEW).masked_fill(fresh == 0, 0)
    if name not in trained:
        return new
    old = trained[name]
    if old.shape == fresh.shape:
        return old
    if old.dim() != 2 or old.shape[0] != fresh.shape[0] or old.shape[1] > fresh.shape[1]:
        raise ValueError(
            f"{name} is {tuple(old.shape)} in the base and {tuple(fresh.shape)} here; only columns can "
            "be added: give both the same sizes and vocabularies"
        )
    if name not in RECURRENCE or old.shape[1] == was:
        new[:, : old.shape[1]] = old
        return new
    added, more = old.shape[1] - was, fresh.shape[1] - context
    if added != more:
        raise ValueError(
            f"{name}: in the base terms add {added} columns to the recurrence's input, and here {more}; which are the "
            "base's cannot be told: take a base without such terms, or add none"
        )
    new[:, :was], new[:, context : context + added] = old[:, :was], old[:, was:]
    return new
