"""Coverage embeddings moved by a GRU: what is left of a source word is learned."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Step, Target, Trace, Widths
from fairseq_plugins.kernels import gated_recurrence, linear
from fairseq_plugins.terms._coverage_embedding import CoverageEmbedding, CoverageEmbeddingOptions, CoverageMemory


@dataclass(frozen=True)
class CoverageEmbeddingGRUOptions(CoverageEmbeddingOptions):
    """Lambda of Eq. 6, printed; used for Eq. 7 too.

    Choices:
        covemb_gru_lambda: Mi: 1e-4 for Eq. 6, none printed for Eq. 7 -> paper; ours for Eq. 7
    """

    covemb_gru_lambda: float = option(1e-4, "lambda of the objective (Mi et al. 2016: 1e-4)")


class Moved(NamedTuple):
    """embeddings: c_{i-1} ``(B, S, D)``; pending: the last alpha ``(B, S)``, whose word is not observed yet."""

    embeddings: Tensor
    pending: Tensor


class CoverageEmbeddingGRU(CoverageEmbedding):
    """Mi et al. 2016, Sec. 3.1.1; objectives Eq. 6 and 7.

    e_ij gains V_c c_{i-1,j};  r, z = sig(W E_y(y_i) + w_a alpha_ij + U c_{i-1,j} + b);
    n = tanh(W E_y(y_i) + w_a alpha_ij + b + r * U c_{i-1,j});  c_{i,j} = z * c_{i-1,j} + (1 - z) * n.
    W, w_a, U and b hold the gates in the order r, z, n; the paper prints no biases.
    Shapes: V_c ``(A, D)``, W ``(3D, E)``, w_a ``(3D)``, U ``(3D, D)``, b ``(3D)``.

    State: c ``(B, S, D)``, c_0 = K[x_j] with K ``(V_x, D)``; the last alpha ``(B, S)`` until its word is known.

    Loss: lambda sum_j ||c_{T,j}|| (Eq. 6) or lambda sum_j sum_{t >= a_j} ||c_{t,j}|| (Eq. 7); by default none.

    Family: coverage embeddings.

    Symbol: V_c c^GRU_{i-1,j}

    Written from: the paper.

    Ours: the GRU has a bias; the query is s'_i, which has read y_{t-1} (the paper, Eq. 4: s_{t-1} and y_{t-1}; on
    RNNsearch it is s_{t-1} alone); a state per source position, a table row per piece; the readout reads c_i too, as
    that of RNNsearch* (the paper, Eq. 1: s_t and y_{t-1}); Eq. 6 counts the source's eos, and its c_T has seen the
    target's; in Eq. 7 a_j = T for words without a link and for eos.
    """

    name = "coverage_embedding_gru"
    Options = CoverageEmbeddingGRUOptions

    def __init__(self, options: CoverageEmbeddingGRUOptions, widths: Widths):
        super().__init__(options, options.covemb_gru_lambda, widths)
        self.final_state = self.objective == "final"
        D = options.covemb_dim
        self.W = nn.Parameter(torch.empty(3 * D, widths.embedding))
        self.w_a = nn.Parameter(torch.empty(3 * D))
        self.U = nn.Parameter(torch.empty(3 * D, D))
        self.b = nn.Parameter(torch.empty(3 * D))

    def target(self, embeddings: Tensor) -> Tensor:
        return linear(embeddings, self.W, self.b)

    def start(self, memory: CoverageMemory) -> Moved:
        return Moved(memory.initial, torch.zeros_like(memory.mask.squeeze(-1)))

    def observe(self, y: Tensor, memory: CoverageMemory, state: Moved) -> Moved:
        c, alpha = state
        moved = gated_recurrence(y.unsqueeze(1), linear(c, self.U), c, scaled=self.w_a, scale=alpha, mask=memory.mask)
        return state._replace(embeddings=moved)

    def energy(
        self, y: Tensor, q: Tensor, s_prev: Tensor, memory: CoverageMemory, state: Moved
    ) -> tuple[Tensor, tuple]:
        return self.V_c(state.embeddings), ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: CoverageMemory, state: Moved
    ) -> Moved:
        return state._replace(pending=step.weights)

    def keep(self, memory: CoverageMemory, state: Moved) -> Tensor | tuple:
        return state.embeddings if self.objective == "supervised" else ()

    def at_the_end(self, y: Tensor, memory: CoverageMemory, state: Moved, trace: Trace, target: Target) -> Tensor:
        return state.embeddings

    def after_each_word(self, y: Tensor, kept: Tensor, memory: CoverageMemory, trace: Trace) -> Tensor:
        return kept
