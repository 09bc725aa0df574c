"""Location-aware attention: learned filters over where attention was one step ago."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.features import Features
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import linear
from fairseq_plugins.terms._losses import precise
from fairseq_plugins.terms._neighbours import neighbours


@dataclass(frozen=True)
class LocationAwareOptions:
    """The paper's filters reach over 201 frames of speech; sentences have some twenty words.

    Choices:
        location_dim: Chorowski: 10 -> paper
        location_window: Chorowski: 100 frames of speech on each side -> ours
        location_accumulated: Chorowski: the last step alone -> paper
    """

    location_dim: int = option(10, "k, filters over the attention around a source word (Chorowski et al. 2015: 10)")
    location_window: int = option(5, "neighbours on each side of a word that a filter reaches; its width is r = 2n + 1")
    location_accumulated: bool = option(False, "filter the sum of all attention so far too, with filters of its own")


class Looked(NamedTuple):
    """alpha_{i-1} ``(B, S)``; the sum of all alpha so far ``(B, S)``, ``()`` unless it is filtered too."""

    last: Tensor
    total: Tree


class LocationAware(Term):
    """Chorowski et al. 2015, Eq. 8 and 9.

    e_ij gains U f_ij;  f_i = F * alpha_{i-1}: f_ij = sum_{-n <= l <= n} F_l alpha_{i-1,j+l}, alpha 0 beyond the ends;
    with ``location_accumulated`` f_i = F * alpha_{i-1} + G * sum_{k<i} alpha_k.
    Shapes: U ``(A, k)``, F and G ``(k, r)``, r = 2n + 1.

    State: alpha_{i-1} ``(B, S)``, and where it is filtered the sum of all alpha so far ``(B, S)``, both starting at 0.

    Family: location-aware attention.

    Symbol: U f_ij

    Written from: the paper's equations.

    Ours: the query is s'_i, as for every term on RNNsearch* (the paper: s_{i-1}); filters are not turned round, which
    only names their columns; before the first word all alpha are 0.
    """

    name = "location_aware"
    Options = LocationAwareOptions

    def __init__(self, options: LocationAwareOptions, widths: Widths):
        super().__init__()
        k, self.n = options.location_dim, options.location_window
        self.U = Linear(k, widths.attention, bias=False)
        self.F = nn.Parameter(torch.empty(k, 2 * self.n + 1))
        self.G = nn.Parameter(torch.empty(k, 2 * self.n + 1)) if options.location_accumulated else None

    def memory(self, source: Source) -> Tensor:
        return source.annotations.new_zeros(source.mask.shape)

    def start(self, memory: Tensor) -> Looked:
        return Looked(memory, () if self.G is None else precise(memory))

    def energy(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Tensor, state: Looked) -> tuple[Features, tuple]:
        f = linear(neighbours(state.last, self.n), self.F)
        if self.G is not None:
            f = f + linear(neighbours(state.total.to(q.dtype), self.n), self.G)
        return Features(f, self.U.weight), ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Tensor, state: Looked
    ) -> Looked:
        return Looked(step.weights, () if self.G is None else state.total + step.weights)
