"""Global fertility: what a source word receives over the whole translation should be what its annotation predicts."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from fairseq_plugins.core.linear import LinearOnce
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Target, Term, Trace, Widths
from fairseq_plugins.terms._losses import precise, total


@dataclass(frozen=True)
class GlobalFertilityOptions:
    """The second is the fertility of Xu et al. 2015, 1 for every word, with which Cohn et al. 2016 compare.

    Choices:
        fertility_lambda: Cohn's code: 1 -> code
        fertility_penalty: Xu et al. 2015: a fertility of 1; Cohn's code: 0 -> code
    """

    fertility_lambda: float = option(1.0, "coefficient of the global fertility loss")
    fertility_penalty: float = option(0.0, "coefficient of sum_j (f_j - 1)^2")


class Words(NamedTuple):
    """annotations h ``(B, S, C)``; mask ``(B, S)``: True at real source words, eos left out."""

    annotations: Tensor
    mask: Tensor


class GlobalFertility(Term):
    """Cohn et al. 2016, global fertility (loss only).

    f_j = sum_i alpha_ij;  k_j = tanh(W_h h_j + b_h);  mu_j = w_mu . k_j + b_mu;  var_j = exp(w_v . k_j + b_v).
    f_j counts all target words, eos included; the source's eos is left out, as in the code. The loss can be negative.
    Shapes: W_h ``(H, C)``, b_h, w_mu, w_v ``(H)``, b_mu, b_v ``(1)``.

    Loss: -lambda sum_j log N(f_j; mu_j, var_j) + penalty sum_j (f_j - 1)^2.

    Family: structural biases.

    Symbol: mu(h_j)

    Written from: the author's code.
    """

    name = "global_fertility"
    Options = GlobalFertilityOptions
    has_loss = True

    def __init__(self, options: GlobalFertilityOptions, widths: Widths):
        super().__init__()
        self.coefficient, self.penalty = options.fertility_lambda, options.fertility_penalty
        self.W_h = LinearOnce(widths.annotation, widths.hidden, bias=False)
        self.b_h = nn.Parameter(torch.empty(widths.hidden))
        self.w_mu = nn.Parameter(torch.empty(widths.hidden))
        self.b_mu = nn.Parameter(torch.empty(1))
        self.w_v = nn.Parameter(torch.empty(widths.hidden))
        self.b_v = nn.Parameter(torch.empty(1))

    def memory(self, source: Source) -> Words:
        words = F.pad(source.mask[:, 1:], (0, 1))  # a real token is a word if another one follows: eos is the last
        return Words(source.annotations, words)

    def loss(self, y: tuple, kept: tuple, memory: Words, state: tuple, trace: Trace, target: Target) -> Tensor:
        fertility = precise(trace.weights).masked_fill(~target.mask.unsqueeze(-1), 0).sum(1)
        k = torch.tanh(self.W_h(memory.annotations) + self.b_h)
        mu, log_var = precise(k @ self.w_mu + self.b_mu), precise(k @ self.w_v + self.b_v)
        surprise = 0.5 * ((fertility - mu).square() * torch.exp(-log_var) + math.log(2 * math.pi) + log_var)
        return total(self.coefficient * surprise + self.penalty * (fertility - 1).square(), memory.mask)
