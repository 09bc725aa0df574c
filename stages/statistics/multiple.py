"""Many comparisons at once: the step-down correction of Holm (1979), and the step-up one of Benjamini and Hochberg."""

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


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Adjusted p values (M,) of M tests: of those at most .05 about one in twenty is false, at most, in the mean.

    Benjamini and Hochberg (1995); for tests that are positively dependent too (Benjamini and Yekutieli 2001). The k-th
    smallest of m (k = 1, ...) becomes the smallest of m p / k from there on. Of no tests there are no values.
    """
    p = np.asarray(p, float)
    order = np.argsort(p, kind="stable")[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(len(p) / np.arange(len(p), 0, -1) * p[order])
    return adjusted
