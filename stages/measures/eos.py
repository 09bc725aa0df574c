"""How often the end of a translation comes from the end of its source (Kuang et al. 2018, Table 2).

Of the translations that end in the end of sentence, the share for which that word has its highest attention on the
source's end of sentence. A translation that the length limit cut off never chose to end: it counts apart.
"""

from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio


class Counts(NamedTuple):
    aligned: int  # ended, with the highest weight of its last row on the source's end of sentence
    finished: int  # ended
    cut_off: int  # did not


def statistics(attention: np.ndarray, finished: bool) -> Counts:
    """Counts of one sentence.

    attention: (T + 1, S + 1), word level, last row and column = end of sentence; (T, S + 1) if not `finished`.
    Of equal weights the first counts, as in `hard_links.strongest`; a row of zeros is not aligned.
    Raises ValueError if a finished sentence has no row at all.
    """
    if not finished:
        return Counts(aligned=0, finished=0, cut_off=1)
    if len(attention) == 0:
        raise ValueError("a finished sentence has a row for its end of sentence, but attention has no row")
    last = attention[-1]
    return Counts(aligned=int(last.argmax() == len(last) - 1), finished=1, cut_off=0)


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 3) summed `Counts` -> percent (...), higher is better, nan without a finished sentence."""
    aligned, finished, _ = np.moveaxis(np.asarray(totals, float), -1, 0)
    return 100 * ratio(aligned, finished)
