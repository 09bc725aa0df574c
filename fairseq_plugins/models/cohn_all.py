"""Cohn, all structural biases: position, Markov condition and local fertility (Cohn et al. 2016, structural biases)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.local_fertility_bias import LocalFertilityBias
from fairseq_plugins.terms.markov_bias import MarkovBias
from fairseq_plugins.terms.position_bias import PositionBias


@register("cohn_all")
class CohnAll(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_p psi_ij + W_m xi(alpha_{i-1}, j) + W_f xi(sum_{k<i} alpha_k, j) + b_a).

    psi_ij = [log(1+i), log(1+j), log(1+S)]^T;  xi(a, j) = [a_{j-1}, a_j, a_{j+1}]^T.

    Confidence: very high.
    """

    terms = (PositionBias, MarkovBias, LocalFertilityBias)
