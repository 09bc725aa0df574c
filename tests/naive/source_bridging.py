"""Source-side bridging: word embeddings as a part of the annotations (Kuang et al. 2018, Sec. 3.1)."""

import numpy as np

from .sizes import Sizes
from .term import Term


class SourceBridging(Term):
    """No parameters: h_j = [hf_j ; hb_j ; E_x(x_j)]."""

    empty_at_first = False

    @classmethod
    def widening(cls, z: Sizes) -> int:
        return z.E

    def annotate(self, x: np.ndarray) -> np.ndarray:
        return x
