"""SA-NMT: RNNsearch* that remembers, per source word, what it has contributed (Xue et al. 2019, Eq. 11-14)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.source_history import SourceHistory


@register("sa_nmt")
class SANMT(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_h ~h_j^{i-1} + b_a).

    Confidence: high on the equations, medium on D and on the index of s.
    """

    terms = (SourceHistory,)
