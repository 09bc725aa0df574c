"""Interactive attention: RNNsearch* that rewrites the annotations it reads (Meng et al. 2016, READ and WRITE)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.interactive import InteractiveAttention as Interactive
from fairseq_plugins.mechanisms.interactive import InteractiveOptions


@register("interactive_attention")
class InteractiveAttention(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j^{(i-1)} + b_a);  h_j^{(i)} = h_j^{(i-1)} (1 - alpha_ij F_i) + alpha_ij U_i.

    F_i, U_i = sig(W_F s_i + b_F), sig(W_U s_i + b_U); c_i sums the h_j^{(i-1)} that were read.

    State: h^{(i)} (B, S, C), at first the annotations.

    Confidence: high.

    Family: interactive attention.

    Written from: their group's code.

    Ours: annotations, F and U are 2H wide (the code: H).
    """

    own_options = (InteractiveOptions,)

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Interactive:
        return Interactive(
            read_options(InteractiveOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
