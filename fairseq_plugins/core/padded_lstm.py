"""A stack of LSTMs over right-padded sentences: what ``nn.LSTM`` computes of packed ones, by the kernels' products."""

import torch
from torch import Tensor, nn

from fairseq_plugins.kernels import accumulate_grad, gated_memory, linear_once, linear_onto


def padded_lstm(rnn: nn.LSTM, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """What a ``rnn`` that reads forwards makes of right-padded sentences.

    Args:
        embeddings: ``(B, S, E)``; mask: True at real words, ``(B, S)``.

    Returns:
        States of the top layer ``(B, S, H)``, 0 at padding, and each layer's last h and c ``(layers, B, H)``.
    """
    rows, last = torch.arange(len(mask)), mask.sum(1) - 1
    states, ends = embeddings, []
    for k in range(rnn.num_layers):
        W, U, b, b_U = (getattr(rnn, f"{name}_l{k}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        from_input, U = linear_once(states, W, b + b_U), accumulate_grad(U)
        h = c = from_input.new_zeros(len(mask), rnn.hidden_size)
        steps = []
        for row in from_input.unbind(1):  # on through the padding, which no real word comes behind
            h, c = gated_memory(linear_onto(row, h, U), c)
            steps.append((h, c))
        states, cells = (torch.stack(each, 1) for each in zip(*steps, strict=True))
        ends.append((states[rows, last], cells[rows, last]))
    final_h, final_c = (torch.stack(each) for each in zip(*ends, strict=True))
    return states * mask.unsqueeze(-1), (final_h, final_c)
