"""Supervised attention: the weights are taught the word alignments of the training text."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Target, Term, Trace, Widths
from fairseq_plugins.terms._losses import precise, required_links, total

EPSILON = 1e-8  # inside the logarithms


@dataclass(frozen=True)
class SupervisedAttentionOptions:
    """Which distance, how strong, and which links count.

    Choices:
        alignment_loss: Mi 2016a, Liu: several -> ours
        alignment_lambda: Kuang on Mi: "equally important" -> paper, second hand
        alignment_sigma: Mi 2016a: a Gaussian -> ours: links as they are
        alignment_unaligned: not known -> ours
    """

    alignment_loss: Literal["ce", "mse", "mul"] = option("ce", "distance of attention from the word alignment")
    alignment_lambda: float = option(1.0, "coefficient of the alignment loss")
    alignment_sigma: float = option(
        0.0, "links spread to neighbours by a Gaussian of this width in source words; 0: they do not"
    )
    alignment_unaligned: Literal["exclude", "inherit"] = option(
        "exclude", "target words without a link: not counted, or with the links of the word before them"
    )


class SupervisedAttention(Term):
    """Mi et al. 2016a ("Supervised attentions"), Liu et al. 2016 (loss only).

    A*_ij = link_ij / sum_j link_ij, or with a Gaussian around the links, A*_ij ~ sum_{j' linked to i}
    exp(-(j - j')^2 / 2 sigma^2) over the real source positions; eos is linked to eos. Only target words with a row of
    A* count. By choice instead: mse, 1/2 sum_ij (alpha_ij - A*_ij)^2, or mul, -sum_i log(sum_j A*_ij alpha_ij + 1e-8).

    Loss: -lambda sum_ij A*_ij log(alpha_ij + 1e-8).

    Family: supervised attention.

    Symbol: A*_ij

    Written from: second hand.

    Ours: eos is linked to eos; 1e-8 inside the logarithms; mul has one logarithm a target word (Liu, to our knowledge:
    one of the sum over all).
    """

    name = "supervised_attention"
    Options = SupervisedAttentionOptions
    has_loss = True

    def __init__(self, options: SupervisedAttentionOptions, widths: Widths):
        super().__init__()
        self.kind, self.coefficient = options.alignment_loss, options.alignment_lambda
        self.sigma, self.inherit = options.alignment_sigma, options.alignment_unaligned == "inherit"

    @classmethod
    def reads_links(cls, options: SupervisedAttentionOptions) -> bool:
        return True

    def memory(self, source: Source) -> Tensor:
        return source.mask

    def loss(self, y: tuple, kept: tuple, memory: Tensor, state: tuple, trace: Trace, target: Target) -> Tensor:
        alpha = precise(trace.weights)
        expected = self.expected(required_links(target, self.name).to(alpha.dtype), memory)
        distances = {"ce": cross_entropy, "mse": squared_error, "mul": multiplication}[self.kind](expected, alpha)
        return self.coefficient * total(distances, target.mask & expected.any(-1))

    def expected(self, links: Tensor, mask: Tensor) -> Tensor:
        """A* ``(B, T, S)`` from links ``(B, T, S)``; rows without a link are 0."""
        if self.inherit:
            links = inherited(links)
        if self.sigma:
            j = torch.arange(links.shape[-1], device=links.device, dtype=links.dtype)
            links = links @ torch.exp(-(j - j.unsqueeze(1)).square() / (2 * self.sigma**2)) * mask.unsqueeze(1)
        return links / links.sum(-1, keepdim=True).clamp(min=torch.finfo(links.dtype).tiny)


def inherited(links: Tensor) -> Tensor:
    """A row without a link takes the last row before it that has one, if there is any."""
    steps = torch.arange(links.shape[1], device=links.device)
    last = torch.where(links.any(-1), steps, 0).cummax(1).values
    return links.gather(1, last.unsqueeze(-1).expand_as(links))


def cross_entropy(expected: Tensor, alpha: Tensor) -> Tensor:
    return -(expected * torch.log(alpha + EPSILON)).sum(-1)


def squared_error(expected: Tensor, alpha: Tensor) -> Tensor:
    return 0.5 * (alpha - expected).square().sum(-1)


def multiplication(expected: Tensor, alpha: Tensor) -> Tensor:
    return -torch.log((expected * alpha).sum(-1) + EPSILON)
