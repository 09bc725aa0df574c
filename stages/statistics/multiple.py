"""Many comparisons at once: the step-down correction of Holm (1979)."""

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """Adjusted p values (M,) of a family of M tests: those at most .05 hold together with an error rate of .05.

    The k-th smallest of m (k = 0, ...) becomes the largest so far of (m - k) p, at most 1. nan is no test: it stays nan
    and does not count in m.
    """
    p = np.asarray(p, float)
    tests = np.flatnonzero(~np.isnan(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(np.arange(len(order), 0, -1) * p[order]))
    return adjusted
