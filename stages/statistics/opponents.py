"""Systems against a few opponents by one measure on one set: every test of this package at once."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.statistics.multiple import holm
from stages.statistics.resampling import (
    SeedRuns,
    SystemPair,
    Value,
    approximate_randomisation,
    paired_bootstrap,
    values,
)
from stages.statistics.seeds import Verdict, over_seeds, paired, verdict, welch


class Comparison(NamedTuple):
    """A system against one opponent.

    difference: system minus opponent, means over the seeds; low, high: its 95 % bootstrap interval; p_holm:
    p_randomisation corrected for all systems compared with this opponent; p_seeds: Welch's test, or the paired one of
    systems of one origin, nan for one seed and for an ensemble beside a system of another origin, and what it says. All
    but these two take the trained systems as given: they know no other training.
    """

    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float
    p_holm: float
    p_seeds: float
    seeds: Verdict


def comparisons(
    systems: Mapping[str, SeedRuns],
    opponents: Sequence[str],
    value: Value,
    resamples: int,
    seed: int,
    level: float,
    origins: Mapping[str, str],
    ensembles: Collection[str],
) -> dict[SystemPair, Comparison]:
    """Every system against every opponent but itself. An opponent that is not among the systems is left out.

    `level`: the largest p over the seeds that is beyond their noise. origins: system -> the one whose trained models it
    goes back to, if that is another. ensembles: systems whose runs share models, and so are no independent trainings.

    Raises:
        ValueError: the systems differ in sentences or in runs.
    """
    families = [[(name, opponent) for name in systems if name != opponent] for opponent in opponents]
    families = [family for opponent, family in zip(opponents, families, strict=True) if opponent in systems]
    pairs = [pair for family in families for pair in family]
    bootstrap = paired_bootstrap(systems, pairs, value, resamples, seed)
    randomisation = approximate_randomisation(systems, pairs, value, resamples, seed)
    corrected: dict[SystemPair, float] = {}
    for family in families:
        corrected |= zip(family, holm(np.array([randomisation[pair] for pair in family])).tolist(), strict=True)
    each = {name: values(system, value).tolist() for name, system in systems.items()}
    result = {}
    for system, opponent in pairs:
        pair = system, opponent
        p_seeds, unknown = math.nan, False
        if origins.get(system, system) == origins.get(opponent, opponent):
            p_seeds = paired(each[system], each[opponent])
        elif not (unknown := not {*pair}.isdisjoint(ensembles)):
            p_seeds = welch(over_seeds(each[system]), over_seeds(each[opponent]))
        result[pair] = Comparison(
            difference=bootstrap[pair].difference,
            low=bootstrap[pair].low,
            high=bootstrap[pair].high,
            p_bootstrap=bootstrap[pair].p,
            p_randomisation=randomisation[pair],
            p_holm=corrected[pair],
            p_seeds=p_seeds,
            seeds="shared models: unknown" if unknown else verdict(p_seeds, level),
        )
    return result
