"""Paired bootstrap (Koehn 2004) and approximate randomisation (Riezler & Maxwell 2005) of corpus measures.

A measure depends on the sums of its per-sentence rows alone, so a batch of resampled test sets is one matrix product,
weights (B, N) times the rows of all systems side by side. Every system sees the same resamples, each is resampled once
however many it is compared with, and memory is bounded by the batch. Time is linear in N, resamples and systems.

With several runs (seeds) a system's value is the mean of the values of its runs, and one resample of the sentences
holds for all of them: the tests then speak of the sentences, not of the training, for which see `seeds`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

Run = Sequence[np.ndarray]
"""The rows of one set: an array (N, K_g) for each group that the value reads."""

SeedRuns = Sequence[Run]
"""Of one system: one run a seed; the runs are independent of each other."""

SystemPair = tuple[str, str]
"""System, opponent. Their difference is the system's value minus the opponent's."""

Value = Callable[..., np.ndarray]
"""Totals of each group, arrays (..., K_g), -> values (...)."""

CONFIDENCE = 0.95
SAME = 1e-9
"""Differences in percent that are nearer to each other are equal: rounding moves them less, a word moves them more."""

GRID = 2.0**-32
"""Rows are rounded to its multiples: sums of them below 2^20 are exact, so that neither the order in which a processor
adds nor the number of its threads changes a digit. A sentence moves less than `SAME` by it."""

BATCH_NUMBERS = 1 << 20
SMALLEST_BATCH, LARGEST_BATCH = 32, 128
"""Resamples at once, so that weights (B, N) stay small. Multiples of 32, for numpy draws swaps 32 at a time: then the
size of a batch changes no number."""


class Bootstrap(NamedTuple):
    """difference: on the set itself; low, high: the percentile interval (95 %) of the difference; p: two-sided."""

    difference: float
    low: float
    high: float
    p: float


def values(system: SeedRuns, value: Value) -> np.ndarray:
    """The value of each run, (runs,)."""
    return np.array([float(value(*(group.sum(0, dtype=float) for group in run))) for run in system])


def difference(system: SeedRuns, opponent: SeedRuns, value: Value) -> float:
    """Mean over the runs of one minus that of the other."""
    return float(values(system, value).mean() - values(opponent, value).mean())


def paired_bootstrap(
    systems: Mapping[str, SeedRuns], pairs: Sequence[SystemPair], value: Value, resamples: int, seed: int
) -> dict[SystemPair, Bootstrap]:
    """Draw N sentences with replacement, the same ones for all systems, `resamples` times.

    p is sacrebleu's (and multeval's): one plus how often |d*| - mean |d*| reaches the observed |d|, over resamples + 1,
    with sacrebleu's seed by its very resamples. Ties count for chance: a system against itself has p = 1, where
    sacrebleu says 1 / (resamples + 1). This p looks at the upper tail only and is at most .05 in about 10 % of the
    cases without a difference: claim by `approximate_randomisation`. low, high and p are nan where a resample has no
    value.

    Raises:
        ValueError: the systems differ in sentences or in runs.
    """
    if not pairs:
        return {}
    index, groups = _side_by_side(systems, pairs)
    batches = _draws(len(groups[0]), resamples, seed)
    samples = np.concatenate([value(*_totals(weights, groups)).mean(-1) for weights in batches])
    tail = 100 * (1 - CONFIDENCE) / 2
    results = {}
    for pair in pairs:
        system, opponent = pair
        observed = difference(systems[system], systems[opponent], value)
        sampled = samples[:, index[system]] - samples[:, index[opponent]]
        size = np.abs(sampled)
        p = _p(size - size.mean(), observed)
        low, high = np.percentile(sampled, [tail, 100 - tail]).tolist()
        results[pair] = Bootstrap(observed, low, high, p)
    return results


def approximate_randomisation(
    systems: Mapping[str, SeedRuns], pairs: Sequence[SystemPair], value: Value, resamples: int, seed: int
) -> dict[SystemPair, float]:
    """Two-sided p: swap the two outputs of each sentence with probability 1/2, `resamples` times, and count how often
    the difference is at least the observed one, p = (1 + #{|d*| >= |d|}) / (resamples + 1).

    Run k of one system swaps with run k of the other, all runs in the same sentences. nan where a resample has no
    value. sacrebleu counts > instead of >=, which differs where many swaps give the same difference, as whole edits do.

    Raises:
        ValueError: the systems differ in sentences or in runs.
    """
    if not pairs:
        return {}
    index, groups = _side_by_side(systems, pairs)
    first, second = np.array([[index[name] for name in pair] for pair in pairs]).T
    whole = _totals(np.ones((1, len(groups[0]))), groups)
    batches = []
    for weights in _swaps(len(groups[0]), resamples, seed):
        swapped = _totals(weights, groups)
        left = [w[:, first] - s[:, first] + s[:, second] for w, s in zip(whole, swapped, strict=True)]
        right = [w[:, second] - s[:, second] + s[:, first] for w, s in zip(whole, swapped, strict=True)]
        batches.append((value(*left) - value(*right)).mean(-1))
    sampled = np.abs(np.concatenate(batches))
    return {
        (system, opponent): _p(sampled[:, k], difference(systems[system], systems[opponent], value))
        for k, (system, opponent) in enumerate(pairs)
    }


def _p(statistics: np.ndarray, observed: float) -> float:
    """Share of the statistics (R,) that reach |observed|, itself counted among them."""
    if np.isnan(observed) or np.isnan(statistics).any():
        return float("nan")
    return (1 + int(np.count_nonzero(statistics >= abs(observed) - SAME))) / (len(statistics) + 1)


def _side_by_side(
    systems: Mapping[str, SeedRuns], pairs: Sequence[SystemPair]
) -> tuple[dict[str, int], list[np.ndarray]]:
    """The systems of the pairs: position of each, and per group an array (N, systems, runs, K_g) of multiples of
    `GRID`."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    shapes = {name: [[group.shape for group in run] for run in systems[name]] for name in names}
    for name in names:
        if shapes[name] != shapes[names[0]]:
            raise ValueError(
                f"rows of {name} and {names[0]} differ in runs, sentences or columns: "
                f"{shapes[name]} and {shapes[names[0]]}"
            )
    groups = range(len(systems[names[0]][0]))
    stacked = [np.stack([[run[g] for run in systems[name]] for name in names]).astype(float) for g in groups]
    exact = [GRID * np.rint(np.moveaxis(group, 2, 0) / GRID) for group in stacked]
    return {name: k for k, name in enumerate(names)}, [np.ascontiguousarray(group) for group in exact]


def _totals(weights: np.ndarray, groups: Sequence[np.ndarray]) -> list[np.ndarray]:
    """weights (B, N), groups (N, systems, runs, K_g) -> (B, systems, runs, K_g)."""
    return [(weights @ group.reshape(len(group), -1)).reshape(-1, *group.shape[1:]) for group in groups]


def _draws(sentences: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each sentence is drawn, (B, N) a batch."""
    random = np.random.default_rng(seed)
    for batch in _batches(sentences, resamples):
        drawn = random.integers(sentences, size=(batch, sentences), dtype=np.int32)  # half the time of int64
        drawn += sentences * np.arange(batch, dtype=np.int32)[:, None]
        yield np.bincount(drawn.ravel(), minlength=batch * sentences).reshape(batch, sentences).astype(float)


def _swaps(sentences: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """1 where a sentence is swapped, else 0, (B, N) a batch."""
    random = np.random.default_rng(seed)
    for batch in _batches(sentences, resamples):
        yield random.integers(2, size=(batch, sentences), dtype=bool).astype(float)


def _batches(sentences: int, resamples: int) -> Iterator[int]:
    size = min(max(BATCH_NUMBERS // sentences // 32 * 32, SMALLEST_BATCH), LARGEST_BATCH)
    for start in range(0, resamples, size):
        yield min(size, resamples - start)
