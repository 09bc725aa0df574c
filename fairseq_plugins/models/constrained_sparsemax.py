"""Constrained sparsemax: no word gets more attention than its fertility (Malaviya et al. 2018, constant f)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.constrained_sparsemax import ConstrainedSparsemax as ConstrainedSparsemaxTerm


@register("constrained_sparsemax")
class ConstrainedSparsemax(RecurrentModel):
    """alpha_i = csparsemax(e_i + c u_i; u_i);  u_i = f - sum_{k<i} alpha_k;  e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    Confidence: high on the equations.
    """

    terms = (ConstrainedSparsemaxTerm,)
