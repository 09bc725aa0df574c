"""Luong global (general): a bilinear score of current state and source word (Luong et al. 2015, section 3.1)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong import General
from fairseq_plugins.models._luong import LuongModel


@register("luong_global_general")
class LuongGlobalGeneral(LuongModel):
    """e_ij = d_i^T W_a h_j;  a~_i = tanh(W_c [c_i ; d_i]).

    Confidence: very high.
    """

    mechanism = General
