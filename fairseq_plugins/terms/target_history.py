"""Target-side history (TA): which decoder states each source word has been translated in."""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Widths
from fairseq_plugins.kernels import linear
from fairseq_plugins.terms._history import History, HistoryOptions


@dataclass(frozen=True)
class TargetHistoryOptions(HistoryOptions):
    """Eq. 15 prints s_{i-1}; the prose around it suggests the state of the word just generated.

    Choices:
        target_history_state: Xue, Eq. 15: s_{i-1}; the prose around it: the word just generated, so s_i ->
            paper's equation
    """

    target_history_state: Literal["prev", "query", "cur"] = option(
        "prev", "the decoder state that enters the target history: s_{i-1} (as printed), q_i or s_i"
    )


class TargetHistory(History):
    """Xue et al. 2019, Eq. 15-18.

    e_ij gains V_s ~s_j^{i-1};  I^T_ij = alpha_ij s_{i-1};  ~s_j^i = GRU_T(I^T_ij, ~s_j^{i-1});  the readout gains
    L_ht sum_j alpha_ij ~s_j^{i-1}.  Shapes: V_s ``(A, D)``, GRU_T G(H, D), L_ht ``(R, D)``.

    State: ~s ``(B, S, D)``, starting at 0.

    Family: bilingual history.

    Symbol: V_s ~s_j

    Written from: the paper.

    Ours: the query is s'_i, as for every term on RNNsearch* (the paper: s_{i-1}), while s_{i-1} of Eq. 15 is the state
    before both GRUs.
    """

    name = "target_history"
    Options = TargetHistoryOptions

    def __init__(self, options: TargetHistoryOptions, widths: Widths):
        super().__init__(options.history_dim or widths.hidden, widths.hidden, widths.attention)
        self.enters = options.target_history_state

    def hoist(self, source: Source) -> tuple:
        return ()

    def projected(self, hoisted: tuple, q: Tensor, s_prev: Tensor, s: Tensor) -> Tensor:
        state = {"prev": s_prev, "query": q, "cur": s}[self.enters]
        return linear(state, self.gru.W).unsqueeze(1)
