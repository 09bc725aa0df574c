"""Minimum error rate training: the weights whose best hypotheses have the highest BLEU (Och 2003).

Along a line w + γ d every hypothesis of a sentence scores on a straight line in γ, so which of them is the best changes
at finitely many γ: the corners of the upper envelope. Between two neighbouring corners of the whole corpus the
translations, and with them corpus BLEU, are constant. The search along a line is therefore exact.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stages.measures import bleu

MARGIN = 0.01
"""How far a step goes into an interval. Weights of wide intervals would else run away."""
REACH = 1.0
"""How far a line is searched: as far as all weights together. Far out one weight stands for all: the decoder, which
rounds, would lose the others."""
SHIFT = 0.05
"""By how much the weights of a random point may differ from a multiple of those of the start."""
ROUNDING = 1e-9
"""A gain of BLEU below this is none."""


class Candidates(NamedTuple):
    """The n-best lists of N sentences, at most n each.

    features: (N, n, F); counts: (N, n, K), those of `bleu.Counts`; there: (N, n), False where a list is shorter.
    """

    features: np.ndarray
    counts: np.ndarray
    there: np.ndarray


def score(candidates: Candidates, weights: np.ndarray) -> float:
    """BLEU in percent of the best hypotheses under the weights (F,); of equals the first counts."""
    scores = np.where(candidates.there, candidates.features @ weights, -np.inf)
    rows = np.arange(len(scores))
    return float(bleu.of_totals(candidates.counts[rows, scores.argmax(axis=1)].sum(axis=0)).score)


def optimise(
    candidates: Candidates, start: np.ndarray, restarts: int, directions: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """The best weights (F,) found, with their BLEU: from `start` and from `restarts` random points around it.

    Only their direction counts, so the absolute values of weights add up to 1. From each point: line searches along the
    axes and along `directions` random lines, until none gains.
    """
    found = _ascend(candidates, unit(start), directions, rng)
    for _ in range(restarts):
        point = unit(start) * rng.uniform(0, 2, len(start)) + rng.uniform(-SHIFT, SHIFT, len(start))
        other = _ascend(candidates, unit(point), directions, rng)
        if other[1] > found[1] + ROUNDING:
            found = other
    return found


def unit(weights: np.ndarray) -> np.ndarray:
    """Weights whose absolute values add up to 1."""
    return weights / np.abs(weights).sum()


def _ascend(
    candidates: Candidates, weights: np.ndarray, directions: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    best = score(candidates, weights)
    while True:
        before = best
        for line in (*np.eye(len(weights)), *rng.standard_normal((directions, len(weights)))):
            step, gained = search_line(candidates, weights, line)
            if gained > best + ROUNDING:
                weights, best = unit(weights + step * line), gained
        if best <= before + ROUNDING:
            return weights, best


def search_line(candidates: Candidates, weights: np.ndarray, line: np.ndarray) -> tuple[float, float]:
    """(γ, BLEU) of the best interval of γ in weights + γ line with |γ| up to `REACH`; of equally good ones the next to
    0."""
    first, corners, changes = _corners(candidates, candidates.features @ weights, candidates.features @ line)
    order = np.argsort(corners, kind="stable")
    corners, totals = corners[order], np.vstack([first, first + np.cumsum(changes[order], axis=0)])
    low, high = np.append(-np.inf, corners), np.append(corners, np.inf)
    inside = (low < high) & (low < REACH) & (high > -REACH)
    steps, scores = _inside(low[inside], high[inside]), bleu.of_totals(totals[inside]).score
    highest = np.flatnonzero(scores >= scores.max() - ROUNDING)
    best = highest[np.abs(steps[highest]).argmin()]
    return float(steps[best]), float(scores[best])


def _inside(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A step into each interval (C,): none into that around 0; else to the middle, or to `MARGIN` beyond the end next
    to 0 if that is nearer."""
    low, high = np.maximum(low, -REACH), np.minimum(high, REACH)
    margin = np.minimum((high - low) / 2, MARGIN)
    return np.where((low < 0) & (high > 0), 0.0, np.clip(0, low + margin, high - margin))


def _corners(
    candidates: Candidates, heights: np.ndarray, slopes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The counts (K,) at γ = -∞, the corners (C,) of all envelopes, and what the counts change by (C, K) at each."""
    totals, corners, changes = np.zeros(candidates.counts.shape[2], candidates.counts.dtype), [], []
    for rows, at, before, after in _walk(candidates.there, heights, slopes):
        if before is None:
            totals = candidates.counts[rows, after].sum(axis=0)
        else:
            corners.append(at)
            changes.append(candidates.counts[rows, after] - candidates.counts[rows, before])
    if not corners:
        return totals, np.zeros(0), np.zeros((0, len(totals)), totals.dtype)
    return totals, np.concatenate(corners), np.concatenate(changes)


def _walk(
    there: np.ndarray, heights: np.ndarray, slopes: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]]:
    """All upper envelopes at once, from γ = -∞ upwards: (sentences, γ, line before, line after), corner by corner."""
    rows = np.arange(len(slopes))
    flattest = np.where(there, slopes, np.inf)
    lowest = flattest.min(axis=1, keepdims=True)
    current = np.where(flattest == lowest, heights, -np.inf).argmax(axis=1)  # of parallel lines the highest
    yield rows, np.full(len(rows), -np.inf), None, current
    while len(rows):
        height, slope = heights[rows, current], slopes[rows, current]
        rise = slopes[rows] - slope[:, None]
        steeper = there[rows] & (rise > 0)
        meets = np.where(steeper, (height[:, None] - heights[rows]) / np.where(steeper, rise, 1), np.inf)
        at = meets.min(axis=1)
        following = np.where(meets <= at[:, None], slopes[rows], -np.inf).argmax(axis=1)  # of lines that meet there
        going = np.isfinite(at)
        rows, at, before, current = rows[going], at[going], current[going], following[going]
        if len(rows):
            yield rows, at, before, current
