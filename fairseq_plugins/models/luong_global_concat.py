"""Luong global (concat): an additive score of current state and source word (Luong et al. 2015, section 3.1)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong import Concat
from fairseq_plugins.models._luong import LuongModel


@register("luong_global_concat")
class LuongGlobalConcat(LuongModel):
    """e_ij = v^T tanh(W_a [d_i ; h_j]);  a~_i = tanh(W_c [c_i ; d_i]).

    W_a has two parts, as the paper prints; the authors' code leaves h_j unprojected.

    Confidence: very high.
    """

    mechanism = Concat
