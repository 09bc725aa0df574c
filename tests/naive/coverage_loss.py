"""Coverage loss: what has been attended to before shall not be again (See et al. 2017, Eqs. 10, 12 and 13)."""

import numpy as np

from . import Params
from .extremes import minimum
from .interface import Target
from .term import Term


class CoverageLoss(Term):
    """No parameters. Loss: lambda sum_i sum_j min(alpha_ij, c_ij), c_i = alpha_1 + … + alpha_{i-1}; both eos count.

    The paper's coverage inside the tanh (Eq. 11) is another term, `linguistic_coverage`.
    """

    only_a_loss = True
    variations = ({"coverage_loss_lambda": 0.5},)

    def __init__(self, p: Params, coverage_loss_lambda: float = 1.0) -> None:
        super().__init__(p)
        self.coefficient = coverage_loss_lambda

    def loss(self, target: Target) -> complex | float:
        total, c = 0.0, np.zeros(target.alpha.shape[1])
        for alpha_i in target.alpha:
            for j in range(len(c)):
                total = total + minimum(alpha_i[j], c[j])  # (12)
            c = c + alpha_i  # (10)
        return self.coefficient * total  # (13)
