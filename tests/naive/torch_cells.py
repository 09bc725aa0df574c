"""torch's recurrent cells with the parameters of a reference implementation."""

import numpy as np
import torch

from tests.naive import Params


def copy_to_torch(cell: torch.nn.Module, params: Params, unit: str = "", suffix: str = "") -> None:
    """Give torch's ``cell`` the parameters `unit`W, `unit`U, `unit`b and, where there is one, `unit`b_U (else 0).

    Args:
        unit: the beginning of the parameters' names, its dot included.
        suffix: the end of torch's names, such as `_l0_reverse`.
    """
    second = params.get(f"{unit}b_U", np.zeros_like(params[f"{unit}b"]))
    ours = [params[f"{unit}{name}"] for name in "WUb"]
    for theirs, array in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), (*ours, second), strict=True):
        getattr(cell, theirs + suffix).data = torch.from_numpy(array)
