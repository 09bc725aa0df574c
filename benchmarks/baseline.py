"""RNNsearch* and BA-NMT as one writes them down: batched, with torch's own layers, every product where its formula is.

Nothing leaves the loop but the encoder: keys, gates, readout and logits are made anew at each step, and each history
GRU is a cell over all source words of all sentences with its own input alpha_ij h_j or alpha_ij s_{i-1}.
"""

import torch
from torch import Tensor, nn

from benchmarks.batches import Sample
from benchmarks.sizes import READOUT_DROPOUT, Size
from benchmarks.systems import BASE, SMOOTHING, Trainable

BASELINES = {"baseline_rnnsearch_star": BASE, "baseline_ba_nmt": "ba_nmt"}  # name -> the system it writes out


class History(nn.Module):
    """m_j^i = GRU(alpha_ij x_ij, m_j^{i-1}) for all words of all sentences (Xue et al. 2019, Eq. 11-18)."""

    def __init__(self, width: int, inputs: int, attention: int, readout: int):
        super().__init__()
        self.cell = nn.GRUCell(inputs, width)
        self.V = nn.Linear(width, attention, bias=False)
        self.L = nn.Linear(width, readout, bias=False)

    def forward(self, inputs: Tensor, state: Tensor) -> Tensor:
        """``(B, S, .)``, both."""
        return self.cell(inputs.flatten(0, 1), state.flatten(0, 1)).view_as(state)


class UnoptimisedBaseline(nn.Module):
    """RNNsearch*, or BA-NMT with ``histories``; all widths H but the annotations, which are 2H.

    Sentences of a batch are equally long: there is no padding.
    """

    def __init__(self, vocabulary: int, width: int, histories: bool, dropout: float, label_smoothing: float):
        super().__init__()
        H, C = width, 2 * width
        self.E_x, self.E_y = nn.Embedding(vocabulary, H), nn.Embedding(vocabulary, H)
        self.encoder = nn.GRU(H, H, batch_first=True, bidirectional=True)
        self.W_init = nn.Linear(C, H)
        self.gru_1, self.gru_2 = nn.GRUCell(H, H), nn.GRUCell(C, H)
        self.W_a, self.U_a, self.v = nn.Linear(H, H, bias=False), nn.Linear(C, H), nn.Linear(H, 1, bias=False)
        self.L_s, self.L_y, self.L_c = nn.Linear(H, H), nn.Linear(H, H, bias=False), nn.Linear(C, H, bias=False)
        self.W_o = nn.Linear(H, vocabulary)
        self.source = History(H, C, H, H) if histories else None
        self.target = History(H, H, H, H) if histories else None
        self.dropout = nn.Dropout(dropout)
        self.cross_entropy = nn.CrossEntropyLoss(reduction="sum", label_smoothing=label_smoothing)

    def forward(self, source: Tensor, previous: Tensor) -> tuple[Tensor, Tensor]:
        """-> logits ``(B, T, V)`` and weights ``(B, T, S)`` from ids ``(B, S)`` and ``(B, T)``."""
        return self.decode(self.encoder(self.E_x(source))[0], previous)

    def decode(self, h: Tensor, previous: Tensor) -> tuple[Tensor, Tensor]:
        """The same from annotations ``(B, S, C)``."""
        s = torch.tanh(self.W_init(h.mean(1)))
        h_read = s_read = h.new_zeros(*h.shape[:2], s.shape[1])
        logits, weights = [], []
        for i in range(previous.shape[1]):
            y = self.E_y(previous[:, i])
            s_prev, q = s, self.gru_1(y, s)
            pre = self.W_a(q).unsqueeze(1) + self.U_a(h)
            if self.source is not None and self.target is not None:
                pre = pre + self.source.V(h_read) + self.target.V(s_read)
            alpha = self.v(torch.tanh(pre)).squeeze(2).softmax(1)
            context = (alpha.unsqueeze(2) * h).sum(1)
            s = self.gru_2(context, q)
            t = self.L_s(s) + self.L_y(y) + self.L_c(context)
            if self.source is not None and self.target is not None:
                each = alpha.unsqueeze(2)
                t = t + self.source.L((each * h_read).sum(1)) + self.target.L((each * s_read).sum(1))
                h_read, s_read = self.source(each * h, h_read), self.target(each * s_prev.unsqueeze(1), s_read)
            logits.append(self.W_o(self.dropout(torch.tanh(t))))
            weights.append(alpha)
        return torch.stack(logits, 1), torch.stack(weights, 1)

    def loss(self, batch: Sample) -> Tensor:
        """Summed over the batch."""
        inputs = batch["net_input"]
        logits, _ = self(inputs["src_tokens"], inputs["prev_output_tokens"])
        return self.cross_entropy(logits.flatten(0, 1), batch["target"].flatten())


def baseline(name: str, size: Size, device: torch.device) -> Trainable:
    """One of ``BASELINES`` with random weights."""
    torch.manual_seed(1)
    model = UnoptimisedBaseline(size.V, size.H, BASELINES[name] != BASE, READOUT_DROPOUT, SMOOTHING).to(device).train()
    return Trainable(model, model.loss, False)
