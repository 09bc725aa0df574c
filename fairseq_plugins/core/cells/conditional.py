"""D2, the conditional GRU of dl4mt: the recurrence of RNNsearch* and of every variant built on it."""

import torch
from torch import Tensor

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Cell, Source
from fairseq_plugins.kernels import accumulate_grad


class ConditionalGRU(Cell):
    """s_0 = tanh(W_init mean_j h_j + b);  s'_i = GRU_1(E_y(y_{i-1}), s_{i-1});  s_i = GRU_2([c_i; extra], s'_i).

    The attention query is s'_i, the readout reads s_i (dl4mt, docs/cgru.tex).
    """

    def __init__(self, embed_dim: int, hidden_dim: int, annotation_width: int, context_width: int, extra_width: int):
        super().__init__()
        self.W_init = Linear(annotation_width, hidden_dim)
        self.gru_1 = GRU(embed_dim, hidden_dim)
        self.gru_2 = GRU(context_width + extra_width, hidden_dim)

    def start(self, source: Source) -> Tensor:
        return torch.tanh(self.W_init(source.mean()))

    def target(self, embeddings: Tensor) -> Tensor:
        return self.gru_1.from_input(embeddings)

    def query(self, y: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
        query = accumulate_grad(self.gru_1(y, s))
        return query, query

    def advance(
        self, y: Tensor, mid: Tensor, context: Tensor, extra: Tensor | None, candidate: Tensor | None, s: Tensor
    ) -> Tensor:
        context = context if extra is None else torch.cat((context, extra), -1)
        return self.gru_2(self.gru_2.from_input(context), mid, candidate)

    def hidden(self, s: Tensor) -> Tensor:
        return s

    def readout_state(self, s_prev: Tensor, s: Tensor) -> Tensor:
        return s
