"""Whether translations keep the order of the source (Bahdanau et al. 2015: alignment is "largely monotonic").

Of every two target words of a sentence with a link, to different source words, whether these stand in the same order.
The share that does less the share that does not is Goodman and Kruskal's gamma, which without ties is Kendall's tau.
"""

from typing import NamedTuple

import numpy as np

from stages.measures.hard_links import NO_LINK
from stages.measures.ratio import ratio


class Counts(NamedTuple):
    kept: int  # pairs of target words whose source words stand in the same order
    turned: int  # in the other order


def statistics(best: np.ndarray) -> Counts:
    """Counts of one sentence. best: (T,) source word per target word, or NO_LINK, as `hard_links.strongest` gives."""
    places = best[best != NO_LINK]
    steps = np.sign(places[None, :] - places[:, None])[np.triu_indices(len(places), k=1)]
    return Counts(int((steps > 0).sum()), int((steps < 0).sum()))


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 2) summed `Counts` -> percent (...) of the pairs that keep their order, nan without any pair."""
    kept, turned = np.moveaxis(np.asarray(totals, float), -1, 0)
    return 100 * ratio(kept, kept + turned)
