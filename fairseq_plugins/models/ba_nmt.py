"""BA-NMT: RNNsearch* with bilingual history, source and target side together (Xue et al. 2019, Eq. 19)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.source_history import SourceHistory
from fairseq_plugins.terms.target_history import TargetHistory


@register("ba_nmt")
class BANMT(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_h ~h_j^{i-1} + V_s ~s_j^{i-1} + b_a).

    Confidence: high on the equations, medium on D and on the index of s.

    Ours: the query is s'_i, as for every term on RNNsearch* (the paper: s_{i-1}); the readout of BA-NMT gains the sums
    of Eq. 14 and of Eq. 18 both (the paper prints none for it).
    """

    terms = (SourceHistory, TargetHistory)
