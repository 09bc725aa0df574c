"""From the decoder's states to the features in front of the output matrix, for all target steps at once."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import LinearOnce


class BaseReadout(nn.Module):
    """What stands in front of the output matrix; ``width`` is R."""

    width: int


class Readout(BaseReadout):
    """pre_i = L_s s + L_y E_y(y_{i-1}) + L_c c_i + sum over reads + b, then tanh, pairwise maxout, or nothing.

    tanh: dl4mt; maxout over adjacent pairs: Bahdanau et al. 2015; linear: Xue et al. 2019,
    Eq. 8 read literally. Maxout needs twice the width before it.
    """

    def __init__(
        self, kind: str, width: int, state_width: int, embed_dim: int, context_width: int,
        read_widths: Mapping[str, int],
    ):  # fmt: skip
        super().__init__()
        self.kind, self.width = kind, width
        before = 2 * width if kind == "maxout" else width
        self.L_s = LinearOnce(state_width, before, bias=False)
        self.L_y = LinearOnce(embed_dim, before, bias=False)
        self.L_c = LinearOnce(context_width, before, bias=False)
        self.L_reads = nn.ModuleDict({name: LinearOnce(size, before, bias=False) for name, size in read_widths.items()})
        self.b = nn.Parameter(torch.empty(before))

    def forward(self, states: Tensor, embeddings: Tensor, contexts: Tensor, reads: dict[str, Tensor]) -> Tensor:
        """t_i, ``(B, T, R)``, from inputs ``(B, T, .)``; contexts may be ``(B, 1, .)``."""
        pre = self.L_s(states) + self.L_y(embeddings) + self.L_c(contexts) + self.b
        for name, layer in self.L_reads.items():
            pre = pre + layer(reads[name])
        if self.kind == "tanh":
            return torch.tanh(pre)
        if self.kind == "maxout":
            return pre.unflatten(-1, (-1, 2)).max(-1).values
        return pre
