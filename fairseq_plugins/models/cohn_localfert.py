"""Cohn, local fertility: all attention so far around each word inside the tanh (Cohn et al. 2016, fertility)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.local_fertility_bias import LocalFertilityBias


@register("cohn_localfert")
class CohnLocalFertility(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_f xi(sum_{k<i} alpha_k, j) + b_a).

    xi(a, j) = [a_{j-k} .. a_{j+k}], k = 1.

    Confidence: very high.
    """

    terms = (LocalFertilityBias,)
