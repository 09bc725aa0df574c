"""Location-aware: filters over the last step's attention inside the tanh (Chorowski et al. 2015, Eq. 8 and 9)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.location_aware import LocationAware as LocationAwareTerm


@register("location_aware")
class LocationAware(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + U f_ij + b_a);  f_i = F * alpha_{i-1}.

    Confidence: high on the equations, low on r.
    """

    terms = (LocationAwareTerm,)
