"""Agreement: two directions trained jointly to attend alike (Cohn et al. 2016, agreement)."""

from argparse import Namespace
from dataclasses import dataclass

import torch
from torch import Tensor

from fairseq_plugins.core.model import register
from fairseq_plugins.core.options import option, read_options
from fairseq_plugins.kernels import smoothed_nll
from fairseq_plugins.models.cohn_all import CohnAll
from fairseq_plugins.terms._losses import precise


@dataclass(frozen=True)
class AgreementOptions:
    """The paper has gamma = 1, the authors' code (mantis) fixes 0.1.

    Choices:
        agreement_gamma: Cohn: 1; their code: 0.1 -> paper, second hand
    """

    agreement_gamma: float = option(1.0, "gamma, weight of the agreement bonus (paper: 1; mantis: 0.1)")


class _Swapped:
    """A translation task in the other direction: all that building a model asks of it."""

    def __init__(self, task):
        self.source_dictionary, self.target_dictionary = task.target_dictionary, task.source_dictionary


@register("cohn_agreement")
class CohnAgreement(CohnAll):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_p psi_ij + W_m xi(alpha_{i-1}, j) + W_f xi(sum_{k<i} alpha_k, j) + b_a).

    The same in the other direction, with weights of its own (``reverse``), which training uses and decoding does not.

    Loss: NLL(t|s) + NLL(s|t) - gamma B, B = sum_i sum_j alpha^{s2t}_ij alpha^{t2s}_ji in [0, min(S, T)].

    Row i of alpha^{s2t} predicts y_i, row j of alpha^{t2s} predicts x_j; both over all real tokens, eos included.
    NLL(s|t) is not label-smoothed.

    Confidence: very high.

    Ours: NLL(s|t) is not label-smoothed.
    """

    own_options = (*CohnAll.own_options, AgreementOptions)

    @classmethod
    def build_model(cls, args: Namespace, task) -> "CohnAgreement":
        model = super().build_model(args, task)
        model.reverse = CohnAll.build_model(args, _Swapped(task))
        model.gamma = read_options(AgreementOptions, args).agreement_gamma
        return model

    def forward(self, src_tokens: Tensor, src_lengths: Tensor, prev_output_tokens: Tensor, **unused):
        output, extra = super().forward(src_tokens, src_lengths, prev_output_tokens)
        return output, extra | {"source": src_tokens}

    def auxiliary_losses(
        self, net_output: tuple[Tensor, dict], ids: Tensor, links: Tensor | None = None
    ) -> dict[str, Tensor]:
        losses = super().auxiliary_losses(net_output, ids, links)
        source, dictionary = net_output[1]["source"], self.encoder.dictionary
        real_source, real_target = source.ne(dictionary.pad()), ids.ne(self.decoder.dictionary.pad())
        first = torch.full_like(source[:, :1], dictionary.eos())
        previous = torch.cat((first, source[:, :-1]), 1).masked_fill(~real_source, dictionary.pad())
        logits, extra = self.reverse(ids, real_target.sum(1), previous)
        nll, _ = smoothed_nll(logits.flatten(0, 1), source.flatten(), 0.0, dictionary.pad(), consume=True)
        reverse = precise(extra["attn"][0]) * real_source.unsqueeze(-1)  # (B, S, T)
        forward = precise(net_output[1]["attn"][0]) * real_target.unsqueeze(-1)  # (B, T, S)
        return losses | {
            "reverse": nll,
            "agreement": -self.gamma * (forward * reverse.transpose(1, 2)).sum(),
        }
