"""The encoder of Luong et al. 2015."""

from torch import Tensor, nn

from fairseq_plugins.core.cells.lstm import LSTMState
from fairseq_plugins.core.encoder import RecurrentEncoder


class StackedEncoder(RecurrentEncoder):
    """A stack of forward LSTMs: h_j is the top layer's state ``(B, S, H)``; the summary is each layer's last (h, c).

    The paper feeds the source in reverse; here attention's positions stay the true ones.
    """

    bidirectional = False

    def build_rnn(self, embed_dim: int) -> nn.Module:
        return nn.LSTM(embed_dim, self.hidden_dim, num_layers=self.layers, batch_first=True)

    def summary(self, hidden: Tensor, last: tuple[Tensor, Tensor]) -> tuple[LSTMState, ...]:
        return tuple(LSTMState(h, c) for h, c in zip(*last, strict=True))
