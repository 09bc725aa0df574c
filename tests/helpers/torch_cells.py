"""torch's recurrent cells with weights of ours, in NumPy or torch."""

import numpy as np
import torch
from torch import Tensor, nn

Array = np.ndarray | Tensor


def load(cell: nn.Module, W: Array, U: Array, b: Array, b_U: Array | None = None, suffix: str = "") -> None:
    """Give a cell or one layer of torch's the weights of its inputs, of its states, and the biases of both.

    Args:
        b_U: torch's second bias; 0 if it is None.
        suffix: the end of the names in torch: `_l0`, `_l0_reverse`, or nothing for a cell.
    """
    values = {"weight_ih": W, "weight_hh": U, "bias_ih": b, "bias_hh": 0 * b if b_U is None else b_U}
    cell.load_state_dict(
        {**cell.state_dict(), **{name + suffix: torch.as_tensor(value).detach() for name, value in values.items()}}
    )
