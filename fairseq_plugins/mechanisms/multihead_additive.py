"""Several heads of additive attention: each attends where it likes and reads a part of the annotations of its own."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Attention, Source, Step
from fairseq_plugins.kernels import accumulate_grad, attention_weights, linear, weighted_sum


@dataclass(frozen=True)
class MultiheadOptions:
    """Together the heads are as wide as the one head of RNNsearch*, unless ``head_dim`` says otherwise.

    Raises:
        ValueError: ``attention_heads`` is not positive.

    Choices:
        attention_heads: Chen (RNMT+): 4 -> paper
        head_dim: Chen: not stated -> ours: A divided among the heads, as Vaswani
    """

    attention_heads: int = option(4, "K, heads of additive attention (Chen et al. 2018: 4)")
    head_dim: int | None = option(None, "D, width inside the tanh of one head; A / K unless given")

    def __post_init__(self):
        if not self.attention_heads > 0:
            raise ValueError(f"attention_heads must be greater than 0, not {self.attention_heads}")


class Memory(NamedTuple):
    """Of each head: keys U_a^k h + b_a^k ``(B, S, D)`` and values W_V^k h ``(B, S, C / K)``; mask ``(B, S)``."""

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    mask: Tensor


class MultiheadAdditive(Attention):
    """Chen et al. 2018 (RNMT+) in words; as Vaswani et al. 2017, Sec. 3.2.2, with additive scores.

    e^k_ij = v^k . tanh(W_a^k q_i + U_a^k h_j + b_a^k);  c_i^k = sum_j alpha^k_ij W_V^k h_j;  c_i = [c_i^1 ; ..; c_i^K].
    No output projection: what reads c_i projects it anyway. The weights handed out are the mean of the heads'.
    Shapes, head below head: W_a ``(K D, H)``, U_a ``(K D, C)``, b_a and v ``(K D)``, W_V ``(C, C)``.

    Raises:
        ValueError: a width cannot be divided among the heads.
    """

    def __init__(self, options: MultiheadOptions, hidden_dim: int, annotation_width: int, attention_width: int):
        super().__init__()
        self.annotation_width = self.context_width = annotation_width
        self.K = options.attention_heads
        wide = self.K * options.head_dim if options.head_dim else attention_width
        for width, what in ((wide, "attention width"), (annotation_width, "annotations")):
            if width % self.K:
                raise ValueError(f"{self.K} attention_heads cannot divide {what} of {width} among them")
        self.W_a = Linear(hidden_dim, wide, bias=False)
        self.U_a = Linear(annotation_width, wide, bias=False)
        self.b_a = nn.Parameter(torch.empty(wide))
        self.v = nn.Parameter(torch.empty(wide))
        self.W_V = Linear(annotation_width, annotation_width, bias=False)

    def memory(self, source: Source) -> Memory:
        keys = linear(source.annotations, self.U_a.weight, self.b_a)
        return Memory(self._heads(keys), self._heads(self.W_V(source.annotations)), source.mask)

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: tuple) -> Step:
        of_heads = zip(memory.keys, self.W_a(q).chunk(self.K, -1), self.v.chunk(self.K), strict=True)
        weights = [attention_weights(keys, query, v, memory.mask) for keys, query, v in of_heads]
        contexts = [weighted_sum(alpha, values) for alpha, values in zip(weights, memory.values, strict=True)]
        return Step(torch.cat(contexts, -1), torch.stack(weights).mean(0), {}, None, None, state, ())

    def _heads(self, x: Tensor) -> tuple[Tensor, ...]:
        """``x (B, S, .)`` of each head by itself, for use at every step."""
        return tuple(accumulate_grad(part.contiguous()) for part in x.chunk(self.K, -1))
