"""Luong global (dot): each source word times the current state (Luong et al. 2015, section 3.1)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong import Dot
from fairseq_plugins.models._luong import LuongModel


@register("luong_global_dot")
class LuongGlobalDot(LuongModel):
    """e_ij = d_i^T h_j;  a~_i = tanh(W_c [c_i ; d_i]).

    Confidence: very high.
    """

    mechanism = Dot
