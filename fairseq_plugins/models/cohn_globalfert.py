"""Cohn, global fertility: all structural biases, and each word's fertility predicted (Cohn et al. 2016, fertility)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.global_fertility import GlobalFertility
from fairseq_plugins.terms.local_fertility_bias import LocalFertilityBias
from fairseq_plugins.terms.markov_bias import MarkovBias
from fairseq_plugins.terms.position_bias import PositionBias


@register("cohn_globalfert")
class CohnGlobalFertility(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_p psi_ij + W_m xi(alpha_{i-1}, j) + W_f xi(sum_{k<i} alpha_k, j) + b_a).

    Loss: NLL - sum_j log N(f_j; mu(h_j), var(h_j)), f_j = sum_i alpha_ij.

    Confidence: very high.
    """

    terms = (PositionBias, MarkovBias, LocalFertilityBias, GlobalFertility)
