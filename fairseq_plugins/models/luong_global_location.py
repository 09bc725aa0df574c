"""Luong global (location): source positions scored by the current state alone (Luong et al. 2015, section 3.1)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.luong import Location
from fairseq_plugins.models._luong import LuongModel


@register("luong_global_location")
class LuongGlobalLocation(LuongModel):
    """e_ij = (W_l d_i)_j;  a~_i = tanh(W_c [c_i ; d_i]).

    Confidence: very high.
    """

    mechanism = Location

    def max_positions(self) -> tuple[int, int]:
        """Of source and target, in pieces with eos."""
        return self.decoder.attention.W_l.out_features, self.decoder.max_positions()
