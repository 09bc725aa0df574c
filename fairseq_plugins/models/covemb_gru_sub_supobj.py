"""Coverage embeddings, GRU + Sub + supervised Obj: nothing left after a word's last link (Mi et al. 2016, Eq. 7)."""

from typing import ClassVar

from fairseq_plugins.core.model import register
from fairseq_plugins.models.covemb_gru_sub import CovembGRUSub


@register("covemb_gru_sub_supobj")
class CovembGRUSubSupObj(CovembGRUSub):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_c c^GRU_{i-1,j} + V_c' c^Sub_{i-1,j} + b_a).

    Loss: NLL + lambda_G sum_j sum_{t >= a_j} ||c^GRU_{t,j}|| + lambda_S sum_j sum_{t >= a_j} ||c^Sub_{t,j}||, where
    a_j is the last target word linked to x_j.

    The paper does not print these lambdas: they are those of Eq. 6.

    Confidence: high.
    """

    fixed: ClassVar = {"covemb_objective": "supervised"}
