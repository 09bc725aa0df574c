"""Coverage embeddings, GRU + Sub + Obj: at the end nothing should be left of a word (Mi et al. 2016, Eq. 6)."""

from typing import ClassVar

from fairseq_plugins.core.model import register
from fairseq_plugins.models.covemb_gru_sub import CovembGRUSub


@register("covemb_gru_sub_obj")
class CovembGRUSubObj(CovembGRUSub):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_c c^GRU_{i-1,j} + V_c' c^Sub_{i-1,j} + b_a).

    Loss: NLL + lambda_G sum_j ||c^GRU_{T,j}|| + lambda_S sum_j ||c^Sub_{T,j}||.

    Confidence: high.
    """

    fixed: ClassVar = {"covemb_objective": "final"}
