"""The encoder of Luong et al. 2015."""

import torch
from torch import Tensor, nn

from fairseq_plugins.core.cells.lstm import LSTMState
from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.tree import Tree


class StackedEncoder(RecurrentEncoder):
    """A stack of forward LSTMs: h_j is the top layer's state ``(B, S, H)``; the summary is each layer's last (h, c).

    With ``reverse_source``, as the paper feeds it, the words are read from the last to the first and then eos. The
    states are put back in place: h_j stays that of x_j, so attention, its windows and its positions are the true ones.
    """

    bidirectional = False

    def __init__(
        self, dictionary, embed_dim: int, hidden_dim: int, embed_dropout: float, annotation_dropout: float,
        layers: int, reverse_source: bool,
    ):  # fmt: skip
        super().__init__(dictionary, embed_dim, hidden_dim, embed_dropout, annotation_dropout, layers)
        self.reverse_source = reverse_source

    def build_rnn(self, embed_dim: int) -> nn.Module:
        return nn.LSTM(embed_dim, self.hidden_dim, num_layers=self.layers, batch_first=True)

    def recur(self, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tree]:
        if not self.reverse_source:
            return super().recur(embeddings, mask)
        order = words_turned(mask)
        states, last = super().recur(_places(embeddings, order), mask)
        return _places(states, order), last

    def summary(self, hidden: Tensor, last: tuple[Tensor, Tensor]) -> tuple[LSTMState, ...]:
        return tuple(LSTMState(h, c) for h, c in zip(*last, strict=True))


def words_turned(mask: Tensor) -> Tensor:
    """Places ``(B, S)`` that turn the words of each sentence round and back; its eos and padding stay."""
    place, words = torch.arange(mask.shape[1], device=mask.device), mask.sum(1, keepdim=True) - 1
    return torch.where(place < words, words - 1 - place, place)


def _places(rows: Tensor, order: Tensor) -> Tensor:
    """Those of rows ``(B, S, .)`` in an order ``(B, S)``."""
    return rows.gather(1, order.unsqueeze(-1).expand_as(rows))
