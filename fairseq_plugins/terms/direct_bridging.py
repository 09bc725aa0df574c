"""Direct bridging: the embedding of the most attended source word is drawn to that of the target word."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from fairseq_plugins.core.linear import LinearOnce
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Target, Term, Trace, Widths
from fairseq_plugins.terms._bridging import most_attended
from fairseq_plugins.terms._losses import precise, total


@dataclass(frozen=True)
class DirectBridgingOptions:
    """The paper lets gradients into both embeddings and calls the gap to the soft version "very small".

    Choices:
        bridge_stopgrad: Kuang: no stop -> paper
        bridge_soft: Kuang: arg-max, the gap to a weighted sum is "very small" -> paper
        bridge_lambda: Kuang: "equally important" -> paper
    """

    bridge_stopgrad: Literal["none", "target", "source"] = option(
        "none", "the embeddings that the bridging loss leaves alone: neither side's, E_y or E_x"
    )
    bridge_soft: bool = option(False, "bridge from sum_j alpha_ij E_x(x_j) instead of the most attended word")
    bridge_lambda: float = option(1.0, "coefficient of the bridging loss (Kuang et al. 2018: 'equally important')")


class DirectBridging(Term):
    """Kuang et al. 2018, Eq. 2 and 3 (loss only; the paper has it beside source-side bridging).

    t* = argmax_j alpha_ij; attention gets no gradient through it, unless the soft version is chosen. E_x(x_{t*}) is the
    encoder's own input, after dropout; E_y(y_i) is a row of the decoder's embedding table, without dropout.
    Shape: W ``(E, E)``, no bias.

    Loss: lambda sum_i ||W E_x(x_{t*}) - E_y(y_i)||^2, eos included.

    Family: bridging.

    Symbol: W E_x(x_{t*}) - E_y(y_i)

    Written from: the paper.

    Ours: of equal weights the first is the arg-max; eos may be it, and y_i too; E_x after dropout, E_y
    without (the paper: dropout of the output layer alone); the soft version sums E_x(x_j) (the paper: h_j).
    """

    name = "direct_bridging"
    Options = DirectBridgingOptions
    has_loss = True

    def __init__(self, options: DirectBridgingOptions, widths: Widths):
        super().__init__()
        self.stopgrad, self.soft, self.coefficient = (
            options.bridge_stopgrad, options.bridge_soft, options.bridge_lambda
        )  # fmt: skip
        self.W = LinearOnce(widths.embedding, widths.embedding, bias=False)

    def memory(self, source: Source) -> Tensor:
        return source.embeddings

    def loss(self, y: tuple, kept: tuple, memory: Tensor, state: tuple, trace: Trace, target: Target) -> Tensor:
        sources = memory.detach() if self.stopgrad == "source" else memory
        words = target.embeddings.detach() if self.stopgrad == "target" else target.embeddings
        bridged = torch.bmm(trace.weights, sources) if self.soft else most_attended(sources, trace.weights)
        return self.coefficient * total(precise(self.W(bridged) - words).square().sum(-1), target.mask)
