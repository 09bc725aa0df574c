"""The recurrent encoders."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from fairseq_plugins.core.linear import LinearOnce
from fairseq_plugins.core.options import RefusedError
from fairseq_plugins.core.padded_gru import padded_gru
from fairseq_plugins.core.padded_lstm import padded_lstm
from fairseq_plugins.core.protocol import Source
from fairseq_plugins.core.tree import Tree, select_rows
from fairseq_plugins.kernels import rounds_to_bf16

from fairseq.models import FairseqEncoder


class EncoderOut(NamedTuple):
    """The source, and which sentence of the batch each row belongs to ``(B,)`` (rows multiply with the beam)."""

    source: Source
    sentence: Tensor


class RecurrentEncoder(FairseqEncoder):
    """Embeddings and a GRU over packed, right-padded sentences: padding never enters a state.

    Subclasses say in which directions it reads and what its summary of a sentence is.
    """

    bidirectional: bool

    def __init__(
        self, dictionary, embed_dim: int, hidden_dim: int, embed_dropout: float, annotation_dropout: float,
        layers: int = 1,
    ):  # fmt: skip
        super().__init__(dictionary)
        self.hidden_dim, self.layers = hidden_dim, layers
        self.annotation_width = hidden_dim * (2 if self.bidirectional else 1)
        self.embed_tokens = nn.Embedding(len(dictionary), embed_dim, padding_idx=dictionary.pad())
        self.rnn = self.build_rnn(embed_dim)
        self.embed_dropout = nn.Dropout(embed_dropout)
        self.annotation_dropout = nn.Dropout(annotation_dropout)

    def build_rnn(self, embed_dim: int) -> nn.Module:
        """What runs over the packed embeddings."""
        return nn.GRU(embed_dim, self.hidden_dim, self.layers, batch_first=True, bidirectional=self.bidirectional)

    def forward(self, src_tokens: Tensor, src_lengths: Tensor, **unused) -> EncoderOut:
        """Encode ``src_tokens (B, S)`` of ``src_lengths (B,)`` tokens, eos included; fairseq passes more, unused.

        Raises:
            RefusedError: a sentence is padded on the left (train and decode with fairseq's flag ``--left-pad-source``).
        """
        mask = src_tokens.ne(self.dictionary.pad())
        if not bool(mask[:, 0].all()):
            raise RefusedError(
                "source sentences must be padded on the right; give the flag --left-pad-source "
                "(in fairseq 0.12.2 it turns left padding off)"
            )
        embeddings = self.embed_dropout(self.embed_tokens(src_tokens))
        hidden, last = self.recur(embeddings, mask)
        hidden = self.annotation_dropout(hidden)
        source = Source(src_tokens, mask, embeddings, hidden, self.summary(hidden, last))
        return EncoderOut(source, torch.arange(len(src_tokens), device=src_tokens.device))

    def recur(self, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tree]:
        """States ``(B, S, .)``, 0 at padding, and what the RNN ended in."""
        rounds = rounds_to_bf16(embeddings)  # PyTorch's own cannot
        if isinstance(self.rnn, nn.GRU) and (rounds or embeddings.device.type == "cpu"):
            return padded_gru(self.rnn, embeddings, mask)
        if isinstance(self.rnn, nn.LSTM) and rounds:
            return padded_lstm(self.rnn, embeddings, mask)
        packed = pack_padded_sequence(embeddings, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        states, last = self.rnn(packed)
        return pad_packed_sequence(states, batch_first=True, total_length=mask.shape[1])[0], last

    def summary(self, hidden: Tensor, last: Tree) -> Tree:
        """``Source.summary`` from all states ``(B, S, .)`` and what the RNN ended in ``(directions, B, H)``."""
        raise NotImplementedError

    def reorder_encoder_out(self, encoder_out: EncoderOut, new_order: Tensor) -> EncoderOut:
        """Rows ``new_order``; nothing moves when every row stays with its sentence, as it does inside a beam."""
        sentence = encoder_out.sentence.index_select(0, new_order)
        if torch.equal(sentence, encoder_out.sentence):
            return encoder_out
        return select_rows(encoder_out, new_order)

    def max_positions(self) -> int:
        return 1024


class BidirectionalEncoder(RecurrentEncoder):
    """h_j = [hf_j ; hb_j] (Bahdanau et al. 2015); its summary is hb_1, which starts D1."""

    bidirectional = True

    def summary(self, hidden: Tensor, last: Tensor) -> Tensor:
        return hidden[:, 0, self.hidden_dim :]


class ForwardEncoder(RecurrentEncoder):
    """A forward GRU whose last state is all that the decoder sees: c = tanh(V h_S) (Cho et al. 2014)."""

    bidirectional = False

    def __init__(self, dictionary, embed_dim: int, hidden_dim: int, embed_dropout: float, annotation_dropout: float):
        super().__init__(dictionary, embed_dim, hidden_dim, embed_dropout, annotation_dropout)
        self.V = LinearOnce(hidden_dim, hidden_dim)

    def summary(self, hidden: Tensor, last: Tensor) -> Tensor:
        return torch.tanh(self.V(self.annotation_dropout(last[0])))
