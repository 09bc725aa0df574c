"""Luong local-m: a window that moves on by one source word a step (Luong et al. 2015, section 3.2)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong_local import LocalMonotonic
from fairseq_plugins.models._luong import LuongModel


@register("luong_local_m")
class LuongLocalM(LuongModel):
    """e_ij = d_i^T W_a h_j for |j - p_i| <= D, p_i = min(i, S - 1);  a~_i = tanh(W_c [c_i ; d_i]).

    State: d_i, the top state of stacked LSTMs, which are fed with a~_{i-1} (B, H) beside E_y(y_{i-1}) if
    ``input_feeding``; with ``luong_base: rnnsearch_star`` d_i is s'_i of RNNsearch*, read out as there, and nothing is
    fed back; the step number i.

    Confidence: very high.
    """

    mechanism = LocalMonotonic
