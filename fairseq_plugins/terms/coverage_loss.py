"""Coverage loss: attention to what has been attended to is penalised."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Target, Term, Trace, Widths
from fairseq_plugins.terms._losses import precise, total


@dataclass(frozen=True)
class CoverageLossOptions:
    """The paper adds coverage and this loss for the last 3,000 updates: from the start it disturbed learning.

    So the study of Hansards fine-tunes a trained RNNsearch* with it. In `systems` it would start from random weights.

    Choices:
        coverage_loss_lambda: See: 1 -> paper
    """

    coverage_loss_lambda: float = option(1.0, "coefficient of the coverage loss (See et al. 2017: 1)")


class CoverageLoss(Term):
    """See et al. 2017, Eq. 10, 12 and 13 (loss only).

    c_ij = sum_{k<i} alpha_kj, so that c_1 = 0, whether or not a term beside it shows that to the attention (Eq. 11:
    ``linguistic_coverage``). Counted are all target words and all source words, eos included.

    Loss: lambda sum_i sum_j min(alpha_ij, c_ij).

    Family: coverage.

    Symbol: min(alpha_ij, c_ij)

    Written from: the paper.

    Ours: eos counts on both sides; the sum over a sentence is divided by what the likelihood is divided by; no
    pointer network (the paper is of summarisation, and copies words of the source).
    """

    name = "coverage_loss"
    Options = CoverageLossOptions
    has_loss = True

    def __init__(self, options: CoverageLossOptions, widths: Widths):
        super().__init__()
        self.coefficient = options.coverage_loss_lambda

    def loss(self, y: tuple, kept: tuple, memory: tuple, state: tuple, trace: Trace, target: Target) -> Tensor:
        alpha = precise(trace.weights)
        covered = F.pad(alpha[:, :-1].cumsum(1), (0, 0, 1, 0))
        again = torch.minimum(alpha, covered)
        return self.coefficient * total(again, target.mask.unsqueeze(-1).expand_as(again))
