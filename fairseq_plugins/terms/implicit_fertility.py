"""Implicit fertility (FertDec): what is left to say, taken away word by word (reconstruction of Feng et al. 2016)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Target, Term, Trace, Widths
from fairseq_plugins.kernels import linear
from fairseq_plugins.terms._losses import precise


@dataclass(frozen=True)
class ImplicitFertilityOptions:
    """The loss is that of the semantically conditioned LSTM, which the extract gate is modelled on.

    Choices:
        fertdec_eta: reconstruction -> ours
    """

    fertdec_eta: float = option(0.0, "coefficient of the loss ||d_T||: nothing should be left to say at the end")


class ImplicitFertility(Term):
    """Feng et al. 2016, "fertility conditioned decoder"; their equations were not at hand.

    x_i = sig(W_x E_y(y_{i-1}) + U_x q_i + C_x c_i + b_x);  d_i = x_i * d_{i-1}: the extract gate;
    the candidate of the decoder's recurrence gains V_d d_i in its pre-activation; e_ij gains nothing.
    Shapes: W_d ``(H, C)``, W_x ``(H, E)``, C_x ``(H, C)``, U_x and V_d ``(H, H)``.

    State: d ``(B, H)``, d_0 = tanh(W_d mean_j h_j + b_d).

    Loss: eta ||d_T||_2, summed over the sentences; by default none (eta = ``fertdec_eta`` = 0).

    Family: implicit distortion and fertility.

    Symbol: V_d d_i

    Written from: the abstract, and later papers.
    """

    name = "implicit_fertility"
    Options = ImplicitFertilityOptions
    gives_candidate = True

    def __init__(self, options: ImplicitFertilityOptions, widths: Widths):
        super().__init__()
        H, C = widths.hidden, widths.annotation
        self.eta = options.fertdec_eta
        self.has_loss = self.final_state = self.eta != 0
        self.W_d = Linear(C, H, bias=False)
        self.b_d = nn.Parameter(torch.empty(H))
        self.W_x = Linear(widths.embedding, H, bias=False)
        self.U_x = Linear(H, H, bias=False)
        self.C_x = Linear(C, H, bias=False)
        self.b_x = nn.Parameter(torch.empty(H))
        self.V_d = Linear(H, H, bias=False)

    def memory(self, source: Source) -> Tensor:
        """d_0."""
        return torch.tanh(linear(source.mean(), self.W_d.weight, self.b_d))

    def target(self, embeddings: Tensor) -> Tensor:
        return linear(embeddings, self.W_x.weight, self.b_x)

    def start(self, memory: Tensor) -> Tensor:
        return memory

    def cell(
        self, y: Tensor, q: Tensor, context: Tensor, weights: Tensor, memory: Tensor, state: Tensor
    ) -> tuple[None, Tensor, Tensor]:
        d = torch.sigmoid(y + self.U_x(q) + self.C_x(context)) * state
        return None, self.V_d(d), d

    def loss(
        self, y: Tensor, kept: tuple, memory: Tensor, state: Tensor, trace: Trace, target: Target
    ) -> Tensor | None:
        return self.eta * (precise(state).square().sum(1) + 1e-12).sqrt().sum() if self.has_loss else None
