"""DHEA: RNNsearch* that attends to its own past states too (Reconstruction; Wang et al. 2018, abstract)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.mechanisms.decoding_history import DecodingHistoryAttention


@register("dhea")
class DHEA(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a);  c_i = [sum_j alpha_ij h_j ; g_i * (P sum_{k<i} beta_ik s_k)].

    beta_ik from v_t^T tanh(W_t s'_i + U_t s_k), g_i a gate of s'_i and both contexts. Reconstruction: the paper's
    equations were not at hand; its abstract says that source and decoding history are attended to and that a dynamic
    gate joins the two contexts.

    State: s_1 .. s_{i-1} (B, i - 1, H).

    Confidence: low.

    Family: decoding history.

    Written from: the abstract.
    """

    @classmethod
    def build_attention(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder
    ) -> DecodingHistoryAttention:
        return DecodingHistoryAttention(
            options.hidden_dim, encoder.annotation_width, options.attention_dim or options.hidden_dim
        )
