"""Constrained sparsemax: over the whole translation no source word is given more attention than its fertility."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.terms._csparsemax import csparsemax
from fairseq_plugins.terms._losses import precise


@dataclass(frozen=True)
class ConstrainedSparsemaxOptions:
    """The paper's predictor is a BiLSTM of its own, trained on word alignments; this one learns through the bounds.

    Raises:
        ValueError: ``csparsemax_limit`` is not positive, or ``csparsemax_credit`` less than 0.

    Choices:
        csparsemax_fertility: Malaviya: constant, by word alignments, or predicted -> paper, the first
        csparsemax_limit: Malaviya: 2 or 3 -> paper, the first
        csparsemax_credit: Malaviya: 0 or 0.2, to our knowledge 0.2 with a limit of 3 -> ours with this limit
    """

    csparsemax_fertility: Literal["constant", "predicted"] = option(
        "constant", "fertilities: the same for every word, or predicted from its annotation"
    )
    csparsemax_limit: float = option(2.0, "the fertility of every word (Malaviya et al. 2018: 2 or 3), or their limit")
    csparsemax_credit: float = option(0.2, "c, what a score gains by what is left of its fertility (theirs: 0.2)")

    def __post_init__(self):
        if not self.csparsemax_limit > 0:
            raise ValueError(f"csparsemax_limit must be greater than 0, not {self.csparsemax_limit}")


class Fertilities(NamedTuple):
    """f ``(B, S)``, 0 at padding and at the sink; sink ``(B, S)``: 1 at each sentence's eos, 0 elsewhere."""

    f: Tensor
    sink: Tensor


class ConstrainedSparsemax(Term):
    """Malaviya et al. 2018, constrained sparsemax with fertilities.

    alpha_i = csparsemax(e_i + c u_i; u_i) = argmin ||p - (e_i + c u_i)||^2 over distributions p with p_j <= u_ij;
    u_i = f - sum_{k<i} alpha_k, what is left of the fertilities f: a number, or f_j = N sig(U_f h_j + b_f).
    So sum_i alpha_ij <= f_j for every word. The sink, whose attention is not bounded, takes what no word can.
    Shapes: U_f ``(1, C)``, b_f ``(1)``.

    State: sum_{k<i} alpha_k ``(B, S)``, starting at 0.

    Family: sparse attention.

    Symbol: csparsemax(e_i

    Written from: the paper and its authors' code.

    Ours: the source's eos is the sink (the paper appends a word of its own); gradients go through c u_i too (their
    code: not); the predictor (the paper's best fertilities are those of a BiLSTM trained apart on word alignments).
    """

    name = "constrained_sparsemax"
    Options = ConstrainedSparsemaxOptions
    normalises = True

    def __init__(self, options: ConstrainedSparsemaxOptions, widths: Widths):
        super().__init__()
        self.N, self.c = options.csparsemax_limit, options.csparsemax_credit
        predicted = options.csparsemax_fertility == "predicted"
        self.U_f = Linear(widths.annotation, 1, bias=False) if predicted else None
        self.b_f = nn.Parameter(torch.empty(1)) if predicted else None

    def memory(self, source: Source) -> Fertilities:
        words = F.pad(source.mask[:, 1:], (0, 1))  # a real token is a word if another one follows: eos is the last
        share = 1 if self.U_f is None else torch.sigmoid(self.U_f(source.annotations) + self.b_f).squeeze(-1)
        dtype = source.annotations.dtype
        return Fertilities(self.N * share * words.to(dtype), (source.mask & ~words).to(dtype))

    def start(self, memory: Fertilities) -> Tensor:
        return torch.zeros_like(precise(memory.f))

    def normalise(self, energies: Tensor, scratch: tuple, memory: Fertilities, state: Tensor) -> Tensor:
        left = (memory.f - state).clamp(min=0).to(energies.dtype)
        return csparsemax(energies + self.c * left, left.clamp(max=1) + memory.sink)  # no weight is above 1 anyway

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Fertilities, state: Tensor
    ) -> Tensor:
        return state + step.weights
