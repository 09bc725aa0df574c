"""D1, the gated decoder unit printed in Bahdanau et al. 2015, also with a fixed context (Cho et al. 2014)."""

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Cell, Source
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import linear


class GatedUnit(Cell):
    """The reset-before unit of Bahdanau et al. 2015, appendix A.2.2.

    s_0 = tanh(W_s summary + b_s), where the summary is hb_1 for ``rnnsearch`` and c for ``rnnencdec``;
    r, z = sig(W E_y(y_{i-1}) + U s_{i-1} + C c_i + b);  n = tanh(W_n E_y(y_{i-1}) + U_n (r * s_{i-1}) + C_n c_i + b_n);
    s_i = (1 - z) * s_{i-1} + z * n.  ``W (3H, E)``, ``C (3H, C)``, ``b (3H)`` in the order r, z, n; ``U (2H, H)`` holds
    r and z, ``U_n (H, H)`` n.

    The query is s_{i-1}. The readout reads s_{i-1}, as printed there, or s_i with ``readout_reads="cur"``. The paper
    leaves out all biases "to increase readability".
    """

    def __init__(self, embed_dim: int, hidden_dim: int, context_width: int, extra_width: int, readout_reads: str):
        super().__init__()
        self.readout_reads = readout_reads
        self.W_s = Linear(hidden_dim, hidden_dim)
        self.W = nn.Parameter(torch.empty(3 * hidden_dim, embed_dim))
        self.U = nn.Parameter(torch.empty(2 * hidden_dim, hidden_dim))
        self.U_n = nn.Parameter(torch.empty(hidden_dim, hidden_dim))
        self.C = nn.Parameter(torch.empty(3 * hidden_dim, context_width + extra_width))
        self.b = nn.Parameter(torch.empty(3 * hidden_dim))

    def start(self, source: Source) -> Tensor:
        return torch.tanh(self.W_s(source.summary))

    def target(self, embeddings: Tensor) -> Tensor:
        return linear(embeddings, self.W, self.b)

    def query(self, y: Tensor, s: Tensor) -> tuple[Tensor, tuple]:
        return s, ()

    def advance(
        self, y: Tensor, mid: tuple, context: Tensor, extra: Tensor | None, candidate: Tensor | None, s: Tensor
    ) -> Tensor:
        context = context if extra is None else torch.cat((context, extra), -1)
        return self.moved(y + linear(context, self.C), candidate, s)

    def moved(self, from_input: Tensor, candidate: Tensor | None, s: Tensor) -> Tensor:
        """s_i from W E_y(y_{i-1}) + C c_i + b ``(B, 3H)`` and s_{i-1} ``(B, H)``."""
        width = s.shape[-1]
        for_gates, for_candidate = from_input.split([2 * width, width], -1)
        r, z = torch.sigmoid(for_gates + linear(s, self.U)).chunk(2, -1)
        pre = for_candidate + linear(r * s, self.U_n)
        return torch.lerp(s, torch.tanh(pre if candidate is None else pre + candidate), z)

    def hidden(self, s: Tensor) -> Tensor:
        return s

    def readout_state(self, s_prev: Tensor, s: Tensor) -> Tensor:
        return s_prev if self.readout_reads == "prev" else s


class FixedContextUnit(GatedUnit):
    """The gated unit with one context for the whole sentence, c = ``Source.summary``: C c is made once.

    Its state is s_i ``(B, H)`` and C c ``(B, 3H)``.
    """

    takes_extras = False

    def start(self, source: Source) -> Tree:
        return super().start(source), linear(source.summary, self.C)

    def query(self, y: Tensor, s: Tree) -> tuple[Tensor, tuple]:
        return s[0], ()

    def advance(
        self, y: Tensor, mid: tuple, context: Tensor, extra: Tensor | None, candidate: Tensor | None, s: Tree
    ) -> Tree:
        state, from_context = s
        return self.moved(y + from_context, None, state), from_context

    def hidden(self, s: Tree) -> Tensor:
        return s[0]

    def readout_state(self, s_prev: Tree, s: Tree) -> Tensor:
        return super().readout_state(s_prev[0], s[0])
