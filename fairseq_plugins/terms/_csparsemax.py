"""The projection onto distributions whose weights are bounded from above (Malaviya et al. 2018)."""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def csparsemax(z: Tensor, u: Tensor) -> Tensor:
    """argmin ||p - z||^2 with sum p = 1 and 0 <= p_j <= u_j, over the last dimension, exactly.

    p_j = min(max(z_j - tau, 0), u_j): words are at 0, at their bound, or active in between. Among sorted breakpoints
    (z_j, where a word becomes active as tau falls, and z_j - u_j, where it reaches its bound) the sum is linear.

    Args:
        z: scores ``(B, S)``, finite where u is not 0.
        u: bounds ``(B, S)``, at least 0, which sum to at least 1.
    """
    return _ConstrainedSparsemax.apply(z.masked_fill(u == 0, 0), u)


class _ConstrainedSparsemax(torch.autograd.Function):
    """Gradients as the paper gives them: d_p - m of the z of active words and of the u of words at their bound, 0
    elsewhere; m is the mean of d_p over the active words."""

    @staticmethod
    def forward(ctx, z: Tensor, u: Tensor) -> Tensor:
        points, order = torch.cat((z, z - u), -1).sort(-1, descending=True)
        slopes = torch.cat((torch.ones_like(z), -torch.ones_like(z)), -1).gather(-1, order).cumsum(-1)
        sums = torch.zeros_like(points)  # of the weights, with tau at each point
        sums[..., 1:] = (slopes[..., :-1] * (points[..., :-1] - points[..., 1:])).cumsum(-1)
        last = (sums < 1).sum(-1, keepdim=True) - 1  # where the sum is still less than 1
        start, missing, slope = (x.gather(-1, last) for x in (points, 1 - sums, slopes))
        above = z - (start - missing / slope.clamp(min=1))
        active, bounded = (above > 0) & (above < u), above >= u
        count = active.sum(-1, keepdim=True)
        # Once more, from the words that are active, without the rounding of the sums.
        tau = (torch.where(active, z, torch.where(bounded, u, 0)).sum(-1, keepdim=True) - 1) / count.clamp(min=1)
        ctx.save_for_backward(active, bounded, count)
        return torch.where(active, (z - tau).clamp(min=0).minimum(u), torch.where(bounded, u, 0))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor]:
        active, bounded, count = ctx.saved_tensors
        mean = torch.where(active, grad, 0).sum(-1, keepdim=True) / count.clamp(min=1)
        moved = grad - mean
        return torch.where(active, moved, 0), torch.where(bounded, moved, 0)
