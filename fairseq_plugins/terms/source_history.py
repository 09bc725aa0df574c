"""Source-side history (SA): what each source word has contributed to the translation so far."""

from torch import Tensor

from fairseq_plugins.core.protocol import Source, Widths
from fairseq_plugins.kernels import accumulate_grad, linear
from fairseq_plugins.terms._history import History, HistoryOptions


class SourceHistory(History):
    """Xue et al. 2019, Eq. 11-14.

    e_ij gains V_h ~h_j^{i-1};  I^S_ij = alpha_ij h_j;  ~h_j^i = GRU_S(I^S_ij, ~h_j^{i-1});  the readout gains
    L_hs sum_j alpha_ij ~h_j^{i-1}.  Shapes: V_h ``(A, D)``, GRU_S G(C, D), L_hs ``(R, D)``.

    State: ~h ``(B, S, D)``, starting at 0.

    Family: bilingual history.

    Symbol: V_h ~h_j

    Written from: the paper.

    Ours: the query is s'_i, as for every term on RNNsearch* (the paper: s_{i-1}).
    """

    name = "source_history"
    Options = HistoryOptions

    def __init__(self, options: HistoryOptions, widths: Widths):
        super().__init__(options.history_dim or widths.hidden, widths.annotation, widths.attention)

    def hoist(self, source: Source) -> Tensor:
        return accumulate_grad(linear(source.annotations, self.gru.W))

    def projected(self, hoisted: Tensor, q: Tensor, s_prev: Tensor, s: Tensor) -> Tensor:
        return hoisted
