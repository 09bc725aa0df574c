"""Coverage embeddings by subtraction: every target word takes its share from the source words it came from."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Step, Target, Trace, Widths
from fairseq_plugins.kernels import write_memory
from fairseq_plugins.terms._coverage_embedding import CoverageEmbedding, CoverageEmbeddingOptions, CoverageMemory
from fairseq_plugins.terms._losses import precise


@dataclass(frozen=True)
class CoverageEmbeddingSubOptions(CoverageEmbeddingOptions):
    """Lambda of Eq. 6, printed; used for Eq. 7 too.

    Choices:
        covemb_sub_lambda: Mi: 1e-2 for Eq. 6, none printed for Eq. 7 -> paper; ours for Eq. 7
    """

    covemb_sub_lambda: float = option(1e-2, "lambda of the objective (Mi et al. 2016: 1e-2)")


class Share(NamedTuple):
    """What a target word takes: w = W_yc E_y(y) ``(B, D)``, and what that does inside the tanh, -V_c w ``(B, A)``."""

    embedding: Tensor
    key: Tensor


class Left(NamedTuple):
    """keys: V_c c_{i-1} ``(B, S, A)``, in at least fp32; pending: the last alpha ``(B, S)``, whose word is not observed
    yet."""

    keys: Tensor
    pending: Tensor


class CoverageEmbeddingSub(CoverageEmbedding):
    """Mi et al. 2016, Eq. 5; objectives Eq. 6 and 7.

    e_ij gains V_c c_{i-1,j};  c_{i,j} = c_{i-1,j} - alpha_ij W_yc E_y(y_i).  Shapes: V_c ``(A, D)``, W_yc ``(D, E)``.
    V_c c_{i,j} = V_c c_{i-1,j} - alpha_ij (V_c W_yc E_y(y_i)): the state is carried behind V_c, so that a step costs no
    product per source word, and the objectives use c_{t,j} = K[x_j] - sum_{i <= t} alpha_ij W_yc E_y(y_i).

    State: V_c c ``(B, S, A)``, c_0 = K[x_j] with K ``(V_x, D)``; the last alpha ``(B, S)`` until its word is known.

    Loss: lambda sum_j ||c_{T,j}|| (Eq. 6) or lambda sum_j sum_{t >= a_j} ||c_{t,j}|| (Eq. 7); by default none.

    Family: coverage embeddings.

    Symbol: c^Sub_{i-1,j}

    Written from: the paper.

    Ours: the query is s'_i, which has read y_{t-1} (the paper, Eq. 4: s_{t-1} and y_{t-1}; on RNNsearch it is s_{t-1}
    alone); a state per source position, a table row per piece; the readout reads c_i too, as that of RNNsearch* (the
    paper, Eq. 1: s_t and y_{t-1}); Eq. 6 counts the source's eos, and its c_T has seen the target's; in Eq. 7 a_j = T
    for words without a link and for eos.
    """

    name = "coverage_embedding_sub"
    Options = CoverageEmbeddingSubOptions

    def __init__(self, options: CoverageEmbeddingSubOptions, widths: Widths):
        super().__init__(options, options.covemb_sub_lambda, widths)
        self.W_yc = Linear(widths.embedding, options.covemb_dim, bias=False)

    def target(self, embeddings: Tensor) -> Share:
        taken = self.W_yc(embeddings)
        return Share(taken, self.V_c(-taken))

    def start(self, memory: CoverageMemory) -> Left:
        return Left(precise(self.V_c(memory.initial)), torch.zeros_like(memory.mask.squeeze(-1)))

    def observe(self, y: Share, memory: CoverageMemory, state: Left) -> Left:
        keys, alpha = state
        return state._replace(keys=write_memory(keys, alpha.to(keys.dtype), y.key.to(keys.dtype)))

    def energy(self, y: Share, q: Tensor, s_prev: Tensor, memory: CoverageMemory, state: Left) -> tuple[Tensor, tuple]:
        return state.keys.to(q.dtype), ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: CoverageMemory, state: Left
    ) -> Left:
        return state._replace(pending=step.weights)

    def at_the_end(self, y: Share, memory: CoverageMemory, state: Left, trace: Trace, target: Target) -> Tensor:
        alpha = trace.weights.masked_fill(~target.mask.unsqueeze(-1), 0)
        return torch.baddbmm(memory.initial, alpha.transpose(1, 2), y.embedding[:, 1:], alpha=-1)

    def after_each_word(self, y: Share, kept: tuple, memory: CoverageMemory, trace: Trace) -> Tensor:
        c, after = precise(memory.initial), []
        for alpha, taken in zip(trace.weights.unbind(1), y.embedding[:, 1:].unbind(1), strict=True):
            c = torch.baddbmm(c, alpha.unsqueeze(-1).to(c.dtype), taken.unsqueeze(1).to(c.dtype), alpha=-1)
            after.append(c)
        return torch.stack(after, 1)
