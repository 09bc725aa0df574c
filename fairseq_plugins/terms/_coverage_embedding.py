"""What the two coverage embeddings of Mi et al. 2016 have in common."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Target, Term, Trace, Widths
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.terms._losses import precise, required_links, total

from fairseq.data import Dictionary

PADDING = Dictionary().pad()  # the same in all of fairseq's dictionaries


@dataclass(frozen=True)
class CoverageEmbeddingOptions:
    """Options of both coverage embeddings. The paper prints a norm without saying which.

    Choices:
        covemb_dim: Mi: 100 -> paper
        covemb_objective: Mi: none and Eq. 6, Eq. 7 without results; fixed in `covemb_gru_sub_obj` and
            `covemb_gru_sub_supobj` -> paper
        covemb_norm: Mi: ||c||, in words "absolute values" -> ours
    """

    covemb_dim: int = option(100, "D, width of each coverage embedding (Mi et al. 2016: 100)")
    covemb_objective: Literal["none", "final", "supervised"] = option(
        "none", "what pushes coverage embeddings to zero: nothing, Eq. 6 (at the end), Eq. 7 (from the last link on)"
    )
    covemb_norm: Literal[1, 2] = option(2, "the norm in that objective, not squared")


class CoverageMemory(NamedTuple):
    """initial: K[x_j] ``(B, S, D)``, 0 at padding; mask ``(B, S, 1)``, 1 at real tokens."""

    initial: Tensor
    mask: Tensor


class CoverageEmbedding(Term):
    """A state c_j per source position that starts as the coverage embedding of its word, c_{0,j} = K[x_j] ("full").

    e_ij gains V_c c_{i-1,j}.  c_i needs y_i, so alpha_i waits in the state until ``observe`` brings it.
    Shapes: K ``(V_x, D)``, V_c ``(A, D)``, c ``(B, S, D)``.

    In the objectives a_j is the last target word linked to x_j. The paper does not say what it is for a word without a
    link: here a_j = T. ||c|| = sqrt(sum c^2 + 1e-12).

    Loss: lambda sum_j ||c_{T,j}|| (Eq. 6) or lambda sum_j sum_{t >= a_j} ||c_{t,j}|| (Eq. 7).
    """

    def __init__(self, options: CoverageEmbeddingOptions, coefficient: float, widths: Widths):
        super().__init__()
        self.objective, self.order, self.coefficient = options.covemb_objective, options.covemb_norm, coefficient
        self.has_loss = self.objective != "none"
        self.K = nn.Embedding(widths.vocabulary, options.covemb_dim, padding_idx=PADDING)
        self.V_c = Linear(options.covemb_dim, widths.attention, bias=False)

    @classmethod
    def reads_links(cls, options: CoverageEmbeddingOptions) -> bool:
        return options.covemb_objective == "supervised"

    def memory(self, source: Source) -> CoverageMemory:
        initial = self.K(source.ids)
        return CoverageMemory(initial, source.mask.unsqueeze(-1).to(initial.dtype))

    def loss(
        self, y: Tree, kept: Tree, memory: CoverageMemory, state: Tree, trace: Trace,
        target: Target,
    ) -> Tensor | None:  # fmt: skip
        counted = memory.mask.squeeze(-1).bool()
        if self.objective == "final":
            embeddings = self.at_the_end(y, memory, state, trace, target)
        elif self.objective == "supervised":
            embeddings = self.after_each_word(y, kept, memory, trace)
            counted = counted.unsqueeze(1) & translated(required_links(target, self.name), target.mask)
        else:
            return None
        return self.coefficient * total(norm(embeddings, self.order), counted)

    def at_the_end(self, y: Tree, memory: CoverageMemory, state: Tree, trace: Trace, target: Target) -> Tensor:
        """c_T at each sentence's own end, ``(B, S, D)``."""
        raise NotImplementedError

    def after_each_word(self, y: Tree, kept: Tree, memory: CoverageMemory, trace: Trace) -> Tensor:
        """c_1 .. c_T, ``(B, T, S, D)``."""
        raise NotImplementedError


def norm(c: Tensor, order: int) -> Tensor:
    """||c|| over the last dimension; the L2 norm has a gradient at 0 too."""
    length = torch.linalg.vector_norm(precise(c), order, -1)
    return length if order == 1 else (length.square() + 1e-12).sqrt()


def translated(links: Tensor, words: Tensor) -> Tensor:
    """Where T >= t >= a_j, ``(B, T, S)``, from links ``(B, T, S)`` and the mask of real target words ``(B, T)``."""
    steps = torch.arange(1, words.shape[1] + 1, device=words.device)
    a = (links * steps.unsqueeze(-1)).amax(1)
    a = torch.where(a == 0, words.sum(1, keepdim=True), a)
    return (steps.unsqueeze(-1) >= a.unsqueeze(1)) & words.unsqueeze(-1)
