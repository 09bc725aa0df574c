"""Label-smoothed negative log-likelihood straight from logits, as one node of the graph.

A batch's logits (N, V) are by far its largest tensor. Taken apart into log-softmax, sum, gather and their gradients
they are gone over some ten times; here four times: log-sum-exp, sum, softmax, and the gradient made in its place.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def smoothed_nll(logits: Tensor, target: Tensor, epsilon: float, padding: int) -> tuple[Tensor, Tensor]:
    """(1 - epsilon) NLL + epsilon times the mean of -log p over the other words, and NLL, both summed.

    Words of probability 0 (candidate lists: all that are no candidates) take no part in smoothing. Without such words
    it is fairseq's label-smoothed loss. Only the first of the two has a gradient.

    Args:
        logits: ``(N, V)``, of any scale; computed in at least fp32.
        target: ids, ``(N,)``; rows of ``padding`` do not count.
    """
    precise = logits if logits.dtype.itemsize >= 4 else logits.float()
    return _SmoothedNLL.apply(precise, target, epsilon, padding)


class _SmoothedNLL(torch.autograd.Function):
    """With epsilon' = epsilon / (V - 1) the gradient of a row is softmax - epsilon' - (1 - epsilon - epsilon') 1_y."""

    @staticmethod
    def forward(ctx, logits: Tensor, target: Tensor, epsilon: float, padding: int) -> tuple[Tensor, Tensor]:
        normaliser = logits.logsumexp(-1)
        place, real = target.unsqueeze(-1), target.ne(padding)
        nll = normaliser - logits.gather(-1, place).squeeze(-1)
        words, total = torch.full_like(normaliser, logits.shape[-1]), logits.sum(-1)
        possible = None
        if total.isinf().any():  # passes over (N, V) more, for candidate lists alone
            possible = logits.isfinite()
            words, total = possible.sum(-1).to(logits), logits.masked_fill(~possible, 0).sum(-1)
        share = epsilon / (words - 1).clamp(min=1)
        smoothed = (1 - epsilon) * nll + share * (words * normaliser - total - nll)
        ctx.save_for_backward(logits, normaliser, place, real, words, share, possible)
        ctx.epsilon = epsilon
        found = smoothed.masked_fill(~real, 0).sum(), nll.masked_fill(~real, 0).sum()
        ctx.mark_non_differentiable(found[1])
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx, of_smoothed: Tensor, of_nll: Tensor) -> tuple[Tensor, None, None, None]:
        logits, normaliser, place, real, words, share, possible = ctx.saved_tensors
        gradient = (logits - normaliser.unsqueeze(-1)).exp_()
        if possible is None:
            gradient.sub_(share.unsqueeze(-1))
        else:  # a row of one word alone has no others to share with
            gradient.mul_((1 - ctx.epsilon + share * (words - 1)).unsqueeze(-1))
            gradient.sub_(share.unsqueeze(-1) * possible)
        gradient.scatter_add_(-1, place, (share - (1 - ctx.epsilon)).unsqueeze(-1))
        return gradient.mul_((real * of_smoothed).unsqueeze(-1)), None, None, None
