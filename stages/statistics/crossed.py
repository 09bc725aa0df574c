"""A difference with an interval over seeds and test sentences together: crossed random effects by the jackknife.

Every training translates the same sentences, so seeds and sentences are crossed: what a sentence adds to a difference
holds for all trainings, what a training adds holds for all sentences, and each pair of both has a rest of its own. With

    V_sentences   variance of the mean over the runs, from what each sentence adds to it
    V_seeds       variance of the mean over the runs, from the values of the runs
    V_interaction what a sentence adds in one run beyond what it adds in all, which both of these hold

the variance of the difference is V = V_sentences + V_seeds - V_interaction, or V_interaction if that is more. The
interval is Student's, with the degrees of freedom of Satterthwaite (1946). What V_seeds is known from may be more than
the runs of the systems compared: see `seed_spread`. In simulations (tests/stages/statistics/test_coverage.py) it holds
the true difference in 93 to 97 % of the draws with three seeds, where a bootstrap of seeds and sentences held it in 81
to 98 %: three seeds are too few to be drawn from. Of a family of fine-tuned systems, whose seeds are known from few
degrees of freedom and say more than its sentences, it holds it in 91 to 92 % with three seeds, and in 87 % with two.

What a sentence adds comes from the pseudo-values of the jackknife (Tukey 1958), so that any measure of summed counts
has an interval, such as BLEU and AER.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from stages.statistics.resampling import Run, Value
from stages.statistics.seed_spread import Spread, own_spread
from stages.statistics.seeds import t_test

CONFIDENCE = 0.95


class Trainings(NamedTuple):
    """Of the R runs of a system: values (..., R), and effects (..., R, N), what each sentence adds to them.

    The squares of a run's effects add up to the variance of its value over sentences; a sentence that is not measured
    has an effect of 0.
    """

    values: np.ndarray
    effects: np.ndarray


class Components(NamedTuple):
    """A difference with the parts of its variance, as in the module's docstring; df: degrees of freedom of a part."""

    difference: np.ndarray | float
    sentences: np.ndarray | float
    seeds: np.ndarray | float
    interaction: np.ndarray | float
    df_sentences: np.ndarray | float
    df_seeds: np.ndarray | float


class Interval(NamedTuple):
    low: float
    high: float


def jackknife(run: Run, value: Value) -> Trainings:
    """One run: values (1,), effects (1, N).

    Raises:
        ValueError: there are fewer than two sentences, or the value of all or of all but one is undefined.
    """
    number = len(run[0])
    if number < 2:
        raise ValueError("an interval needs two sentences at least")
    totals = [group.sum(0, dtype=float) for group in run]
    whole = float(value(*totals))
    without = np.asarray(value(*(total - group for total, group in zip(totals, run, strict=True))), float)
    effects = (number - 1) / number * (whole - without)
    if not np.isfinite(whole) or not np.isfinite(effects).all():
        raise ValueError("the measure is undefined for these sentences, or for all but one of them")
    scale = math.sqrt(number / (number - 1))
    return Trainings(np.array([whole]), scale * (effects - effects.mean())[None])


def components(blocks: Sequence[Trainings], measured: int, spreads: Sequence[Spread | None]) -> Components:
    """Of the sum of the blocks, which are independent trainings; within a block all runs of one seed belong together.

    A difference is the sum of a system and of another one times -1. measured: number of sentences. spreads: of the
    values of each block's runs; where there is none, that of these runs alone.

    Raises:
        ValueError: a block has fewer than two runs.
    """
    if any(block.values.shape[-1] < 2 for block in blocks):
        raise ValueError("one run says nothing of other trainings")
    runs = [block.values.shape[-1] for block in blocks]
    of_runs = [spread or own_spread(block.values) for block, spread in zip(blocks, spreads, strict=True)]
    of_sentences = np.asarray(sum(block.effects.mean(-2) for block in blocks))
    rest = sum(block.effects.var(-2, ddof=1).sum(-1) / n for block, n in zip(blocks, runs, strict=True))
    seeds, df_seeds = _of_seeds(
        [Spread(one.variance / n, one.df, one.pooled) for one, n in zip(of_runs, runs, strict=True)]
    )
    return Components(
        difference=sum(block.values.mean(-1) for block in blocks),
        sentences=(of_sentences**2).sum(-1),
        seeds=seeds,
        interaction=rest,
        df_sentences=np.full_like(seeds, measured - 1),
        df_seeds=df_seeds,
    )


def _of_seeds(of_means: Sequence[Spread]) -> tuple[np.ndarray, np.ndarray]:
    """The sum of the variances, and Satterthwaite's degrees of freedom; what comes from one pool is one estimate."""
    alone = [one for one in of_means if not one.pooled]
    pooled = [one for one in of_means if one.pooled]
    parts = [*alone, *([Spread(sum(one.variance for one in pooled), pooled[0].df)] if pooled else [])]
    seeds = np.asarray(sum(one.variance for one in parts), float)
    squares = np.asarray(sum(one.variance**2 / one.df for one in parts), float)
    known = squares > 0  # without any spread it does not matter
    return seeds, np.where(known, np.divide(seeds**2, squares, where=known, out=np.ones_like(seeds)), parts[0].df)


def variance(of: Components) -> np.ndarray:
    """V; what chance takes away below V_interaction is no variance."""
    return np.maximum(of.sentences + of.seeds - of.interaction, of.interaction)


def degrees_of_freedom(of: Components) -> float:
    """Satterthwaite's, of Student's t; at least 1, infinite without any spread."""
    parts = float(of.seeds) ** 2 / float(of.df_seeds) + float(of.sentences) ** 2 / float(of.df_sentences)
    return max(1.0, float(variance(of)) ** 2 / parts) if parts else math.inf


def half_width(of: Components, confidence: float = CONFIDENCE) -> float:
    """Of the interval of one difference."""
    total = float(variance(of))
    if total == 0:
        return 0.0
    return float(stdtrit(degrees_of_freedom(of), (1 + confidence) / 2)) * math.sqrt(total)


def interval(of: Components, confidence: float = CONFIDENCE) -> Interval:
    """That holds the difference of other trainings on other sentences with `confidence`."""
    half = half_width(of, confidence)
    return Interval(float(of.difference) - half, float(of.difference) + half)


def p_value(of: Components) -> float:
    """Two-sided, of no difference: below .05 where the 95 % interval leaves out 0."""
    total = float(variance(of))
    if total == 0:
        return float(of.difference == 0)
    return t_test(float(of.difference) / math.sqrt(total), degrees_of_freedom(of))
