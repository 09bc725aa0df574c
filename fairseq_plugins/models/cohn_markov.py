"""Cohn, Markov condition: the last step's attention around each word inside the tanh (Cohn et al. 2016, Markov)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.markov_bias import MarkovBias


@register("cohn_markov")
class CohnMarkov(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_m xi(alpha_{i-1}, j) + b_a).

    xi(a, j) = [a_{j-k} .. a_{j+k}], k = 1.

    Confidence: very high.
    """

    terms = (MarkovBias,)
