"""TA-NMT: RNNsearch* that remembers, per source word, the states that translated it (Xue et al. 2019, Eq. 15-18)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.target_history import TargetHistory


@register("ta_nmt")
class TANMT(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_s ~s_j^{i-1} + b_a).

    Confidence: high on the equations, medium on D and on the index of s.
    """

    terms = (TargetHistory,)
