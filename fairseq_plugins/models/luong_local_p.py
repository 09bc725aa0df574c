"""Luong local-p: a window around a predicted source position (Luong et al. 2015, section 3.2)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong_local import LocalPredictive
from fairseq_plugins.models._luong import LuongModel


@register("luong_local_p")
class LuongLocalP(LuongModel):
    """e_ij = d_i^T W_a h_j for |j - floor(p_i)| <= D;  alpha_ij = softmax_j(e_ij) exp(-2 (j - p_i)^2 / D^2).

    p_i = 1 + sig(v_p^T tanh(W_p d_i)) (S' - 1), S' without eos;  a~_i = tanh(W_c [c_i ; d_i]).

    Confidence: high.

    Ours: p_i stays on a word (the paper: S sig(...), the code: 1 + S' sig(...)).
    """

    mechanism = LocalPredictive
