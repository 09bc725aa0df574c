"""Global attention with multiplicative, additive and location scores (Luong et al. 2015, section 3.1)."""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Attention, Source, Step
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import accumulate_grad, attention_weights, linear, masked_softmax, weighted_sum


@dataclass(frozen=True)
class LuongOptions:
    """Base and switches of the systems of Luong et al. 2015; the paper has 4 layers.

    Choices:
        luong_base: Luong: stacked LSTMs -> paper
        luong_layers: Luong: 4 -> ours, for speed
        reverse_source: Luong: the source reversed, whether eos too is not stated -> ours
        input_feeding: Luong: with and without -> paper
        attend_eos: the code: eos cannot be attended to -> ours
    """

    luong_base: Literal["lstm", "rnnsearch_star"] = option("lstm", "stacked LSTMs, as in the paper, or RNNsearch*")
    luong_layers: int = option(2, "layers of the LSTMs of encoder and decoder")
    reverse_source: bool = option(False, "the encoder reads the source's words from the last to the first, then eos")
    input_feeding: bool = option(True, "feed a~_{i-1} to the LSTM beside E_y(y_{i-1})")
    attend_eos: bool = option(True, "whether the source's eos can be attended to (the authors' code: no)")


@dataclass(frozen=True)
class LocationOptions(LuongOptions):
    """Of the score `location`.

    Choices:
        location_positions: Luong: not stated, words beyond are ignored -> ours: longer sources are refused
    """

    location_positions: int = option(128, "S_max, source positions that location attention has weights for")


class Memory(NamedTuple):
    """annotations h ``(B, S, C)``; keys: what the score needs of them, a tree; mask: True at attendable positions
    ``(B, S)``; lengths: real tokens, eos included ``(B, 1)``."""

    annotations: Tensor
    keys: Tree
    mask: Tensor
    lengths: Tensor


class LuongAttention(Attention):
    """alpha_i = softmax_j(score(d_i, h_j));  c_i = sum_j alpha_ij h_j. The query is the current state d_i (or s'_i).

    Everything is written for several steps at once, ``(B, T, .)``: all of them when attention does not feed back into
    the recurrence, otherwise one.
    """

    Options: ClassVar[type[LuongOptions]] = LuongOptions

    def __init__(self, options: LuongOptions, hidden_dim: int, annotation_width: int):
        super().__init__()
        self.annotation_width = self.context_width = annotation_width
        self.attend_eos = options.attend_eos

    def memory(self, source: Source) -> Memory:
        lengths = source.mask.sum(1, keepdim=True)
        annotations = accumulate_grad(source.annotations)
        return Memory(annotations, self.keys(annotations), self.attendable(source.mask, lengths), lengths)

    def attendable(self, mask: Tensor, lengths: Tensor) -> Tensor:
        if self.attend_eos:
            return mask
        last = (lengths - 1).clamp(min=1)  # a sentence of nothing but eos keeps it: something must be attended to
        return torch.arange(mask.shape[1], device=mask.device) < last

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: Tree) -> Step:
        weights = self.weights(q.unsqueeze(1), state, memory).squeeze(1)
        return Step(weighted_sum(weights, memory.annotations), weights, {}, None, None, state, ())

    def all_steps(self, queries: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        steps = torch.arange(1, queries.shape[1] + 1, device=queries.device).expand(queries.shape[:2])
        weights = self.weights(queries, steps, memory)
        return torch.bmm(weights, memory.annotations), weights

    def weights(self, queries: Tensor, steps: Tree, memory: Memory) -> Tensor:
        """alpha ``(B, T, S)`` of queries ``(B, T, Q)``; steps: their numbers i ``(B, T)``, where the state counts."""
        return masked_softmax(self.scores(queries, memory), memory.mask.unsqueeze(1))

    def keys(self, annotations: Tensor) -> Tree:
        """What of the score depends on h_j alone."""
        raise NotImplementedError

    def scores(self, queries: Tensor, memory: Memory) -> Tensor:
        """score(d_i, h_j) ``(B, T, S)``: d_i^T k_j unless the mechanism scores otherwise."""
        return torch.bmm(queries, memory.keys.transpose(1, 2))


class Dot(LuongAttention):
    """score(d, h) = d^T h.

    Raises:
        ValueError: the annotations are not as wide as the query.
    """

    def __init__(self, options: LuongOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        if annotation_width != hidden_dim:
            raise ValueError(
                f"the score `dot` needs annotations as wide as the query, but they are {annotation_width} and "
                f"{hidden_dim} wide; take luong_base: lstm, or the score `general`"
            )

    def keys(self, annotations: Tensor) -> Tensor:
        return annotations


class General(LuongAttention):
    """score(d, h) = d^T W_a h, W_a ``(Q, C)``."""

    def __init__(self, options: LuongOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        self.W_a = Linear(annotation_width, hidden_dim, bias=False)

    def keys(self, annotations: Tensor) -> Tensor:
        return self.W_a(annotations)


class Concat(LuongAttention):
    """score(d, h) = v^T tanh(W_a [d ; h]), W_a ``(H, Q + C)``.

    Two matrices, as the paper prints; the authors' code leaves h unprojected.
    """

    def __init__(self, options: LuongOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        self.W_a = nn.Parameter(torch.empty(hidden_dim, hidden_dim + annotation_width))
        self.v = nn.Parameter(torch.empty(hidden_dim))

    def keys(self, annotations: Tensor) -> Tensor:
        return accumulate_grad(linear(annotations, self.W_a[:, -self.annotation_width :]))

    def weights(self, queries: Tensor, steps: Tree, memory: Memory) -> Tensor:
        projected = linear(queries, self.W_a[:, : -self.annotation_width])
        rows = (attention_weights(memory.keys, query, self.v, memory.mask) for query in projected.unbind(1))
        return torch.stack(tuple(rows), 1)


class Location(LuongAttention):
    """score(d, j) = (W_l d)_j, whatever stands at position j; W_l ``(S_max, Q)``."""

    Options = LocationOptions

    def __init__(self, options: LocationOptions, hidden_dim: int, annotation_width: int):
        super().__init__(options, hidden_dim, annotation_width)
        self.W_l = Linear(hidden_dim, options.location_positions, bias=False)

    def check(self, source: Source) -> None:
        """There must be a row of W_l for every word, but not for padding."""
        positions = self.W_l.out_features
        if source.mask.shape[1] > positions and (length := int(source.mask.sum(1).max())) > positions:
            raise ValueError(
                f"a source of {length} pieces is longer than the {positions} positions of location attention; "
                "set location_positions higher and train again, or leave out longer sentences"
            )

    def keys(self, annotations: Tensor) -> tuple:
        return ()

    def scores(self, queries: Tensor, memory: Memory) -> Tensor:
        known = self.W_l(queries)[..., : memory.mask.shape[1]]
        return nn.functional.pad(known, (0, memory.mask.shape[1] - known.shape[-1]))
