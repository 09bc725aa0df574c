"""Local attention: a window around an assumed or a predicted source position (Luong et al. 2015, section 3.2)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Step
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import masked_softmax
from fairseq_plugins.mechanisms.luong import General, LuongOptions, Memory


@dataclass(frozen=True)
class LocalOptions(LuongOptions):
    """Of local attention; the paper has D = 10.

    Choices:
        local_window: Luong: 10 -> paper
    """

    local_window: int = option(10, "D, how far a local window reaches to either side")


@dataclass(frozen=True)
class PredictiveOptions(LocalOptions):
    """Of local-p.

    Choices:
        local_renorm: Luong: weights of local-p sum to less than 1; later code: a softmax of score times Gaussian ->
            paper
    """

    local_renorm: bool = option(False, "let the weights of local-p sum to 1")


class Local(General):
    """alpha_i = softmax of the score ``general`` over positions p - D .. p + D; exactly 0 elsewhere.

    Positions count from 1 in the true order.

    Raises:
        ValueError: D < 1; a smaller window could miss the sentence.
    """

    Options = LocalOptions

    def __init__(self, options: LocalOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        self.D = options.local_window
        if self.D < 1:
            raise ValueError(f"local_window is {self.D}; a local window reaches at least 1 position to either side")

    def positions(self, memory: Memory) -> Tensor:
        """j = 1 .. S."""
        return torch.arange(1, memory.mask.shape[1] + 1, device=memory.mask.device)

    def windowed(self, queries: Tensor, centres: Tensor, memory: Memory) -> Tensor:
        """Weights ``(B, T, S)`` around whole-numbered centres ``(B, T)``."""
        inside = (self.positions(memory) - centres.unsqueeze(-1)).abs() <= self.D
        return masked_softmax(self.scores(queries, memory), inside & memory.mask.unsqueeze(1))


class LocalMonotonic(Local):
    """local-m: p_i = min(i, S - 1), S counting eos, and 1 for an eos alone; no Gaussian. The paper has p_i = i.

    State: the step number i ``(B, 1)``.
    """

    def start(self, memory: Memory) -> Tensor:
        return torch.ones_like(memory.lengths)

    def weights(self, queries: Tensor, steps: Tensor, memory: Memory) -> Tensor:
        return self.windowed(queries, torch.minimum(steps, (memory.lengths - 1).clamp(min=1)), memory)

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, memory: Memory) -> Tensor:
        return step.state + 1


class LocalPredictive(Local):
    """local-p: p_i = 1 + sig(v_p^T tanh(W_p d_i)) (S' - 1), S' = S - 1 words without eos (p_i = 1 for an eos alone).

    alpha_ij = softmax over the window around floor(p_i), times exp(-(j - p_i)^2 / (2 sigma^2)), sigma = D / 2. The sum
    is below 1; ``local_renorm`` divides by it. p_i learns through the Gaussian; the window's limits have no gradient.
    The paper has p_i = S sig(...), the authors' code 1 + S' sig(...), which can lie behind the last word; here it stays
    inside 1 .. S'. Shapes: W_p ``(H, Q)``, v_p ``(H)``.
    """

    Options = PredictiveOptions

    def __init__(self, options: PredictiveOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        self.renorm = options.local_renorm
        self.W_p = Linear(hidden_dim, hidden_dim, bias=False)
        self.v_p = nn.Parameter(torch.empty(hidden_dim))

    def weights(self, queries: Tensor, steps: Tree, memory: Memory) -> Tensor:
        p = self.predicted(queries, memory)
        distance = self.positions(memory) - p.unsqueeze(-1)
        gaussian = torch.exp(distance.square() * (-2 / self.D**2))
        weights = self.windowed(queries, p.detach().floor(), memory) * gaussian
        if self.renorm:
            weights = weights / weights.sum(-1, keepdim=True)
        return weights.to(queries.dtype)

    def predicted(self, queries: Tensor, memory: Memory) -> Tensor:
        """p_i ``(B, T)``, in at least fp32: bf16 does not hold a position and a fraction of it."""
        where = torch.sigmoid(torch.tanh(self.W_p(queries)) @ self.v_p)
        return 1 + where.to(torch.promote_types(where.dtype, torch.float32)) * (memory.lengths - 2).clamp(min=0)
