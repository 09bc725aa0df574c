"""Of each claim that several corpora speak to, the mean of what they say, and whether they say the same."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from stages.reporting.claims.claims import PaperClaim, all_claims, own_claims
from stages.reporting.claims.sizes import comparable, verdict
from stages.reporting.overview.study import Study
from stages.statistics import deciding
from stages.statistics.crossed import CONFIDENCE, Interval
from stages.statistics.mean_of_corpora import Estimate, Measured, heterogeneity, mean_of_corpora, p_of_mean
from stages.statistics.multiple import benjamini_hochberg

DISAGREE = "corpora disagree"
Tests = tuple[str, int, tuple[tuple[str, int], ...], str]
"""A test set, and the direction in which it is translated."""
LEVEL = 0.05
"""Below it the corpora are not of one mean."""


def one_a_corpus(studies: Sequence[Study]) -> list[Study]:
    """What the studies on the same test sentences in the same direction say together, with the systems of all, named
    after the one with the most systems.

    They may share trainings too, so that a claim has one verdict: that of the study with the most seeds, of those with
    as many that with the most systems. They need not be trained on the same text, nor with the same settings.
    """
    found = []
    for together in by_corpus(studies):
        claims: dict[str, Mapping[str, Any]] = {}
        systems: dict[str, Any] = {}
        for study in sorted(together, key=lambda one: (len(one.document["recipe"]["seeds"]), _systems(one))):
            claims |= study.verdicts
            systems |= study.document["systems"]
        largest = max(together, key=_systems)
        found.append(largest._replace(document={**largest.document, "systems": systems}, claims=claims))
    return found


def judging(claim: str, corpora: Sequence[Study]) -> list[Study]:
    """Of `one_a_corpus` those whose verdict on a claim counts in a mean. Two directions of the same sentences are not
    independent: of these the one with the most systems counts."""
    told = [study for study in corpora if claim in study.verdicts]
    return [max(together, key=_systems) for together in by_corpus(told, directed=False)]


def by_corpus(studies: Sequence[Study], directed: bool = True) -> list[list[Study]]:
    """The studies that have test sentences in common, together; directed: only if they are of the same direction."""
    corpora: list[tuple[set[Tests], list[Study]]] = []
    for study in studies:
        tests = _tests(study, directed)
        sharing = [one for one in corpora if one[0] & tests]
        corpora = [one for one in corpora if one not in sharing]
        corpora.append((tests.union(*(of for of, _ in sharing)), [*(s for _, those in sharing for s in those), study]))
    return [together for _, together in corpora]


def _tests(study: Study, directed: bool) -> set[Tests]:
    """By name, sentences and words of both sides: reports have no hash of them."""
    data, direction = study.document["recipe"]["data"], study.document["recipe"]["direction"] if directed else ""
    sets = {name: data["sets"][name] for name in data["tests"]}
    return {(name, one["pairs"], tuple(sorted(one["tokens"].items())), direction) for name, one in sets.items()}


def _systems(study: Study) -> int:
    return len(study.document["systems"])


def means(studies: Sequence[Study]) -> dict[str, dict[str, Any]]:
    """Of each claim that two corpora or more have a verdict on, by id: as a study's, with Cochran's `q` and its `p_q`.

    Where that says that the corpora differ by more than chance, the verdict is `DISAGREE`. `p_fdr` is corrected for the
    number of means with another verdict, as the claims of a study are for theirs.
    """
    corpora = one_a_corpus(studies)
    found = {}
    for claim in (*all_claims(), *own_claims()):
        told = [study.verdicts[claim.id] for study in judging(claim.id, corpora)]
        if len(told) > 1:
            found[claim.id] = _mean(claim, told)
    for part in (True, False):
        family = [
            one
            for one in found.values()
            if one["p_fdr"] is not None and one["verdict"] != DISAGREE and one["apart"] == part
        ]
        for one, p in zip(family, benjamini_hochberg(np.array([one["p_fdr"] for one in family])).tolist(), strict=True):
            one["p_fdr"] = p
    return found


def _mean(claim: PaperClaim, told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`p_fdr` is p before any correction, None for a claim of no difference."""
    of = [Estimate(one["difference"], Interval(one["low"], one["high"])) for one in told]
    narrow = [Estimate(one["difference"], Interval(one["low_90"], one["high_90"])) for one in told]
    mean, apart = mean_of_corpora(of), heterogeneity(of)
    margin, printed = told[0]["margin"], comparable(claim)
    both = deciding.Found(mean.interval, mean_of_corpora(narrow).interval)
    return {
        **{key: told[0][key] for key in ("systems", "margin")},
        "apart": any(one["apart"] for one in told),
        "verdict": DISAGREE if apart.p < LEVEL else verdict(claim, both, margin),
        "difference": mean.difference,
        **mean.interval._asdict(),
        "p_fdr": None if claim.of_no_difference else p_of_mean([_measured(one) for one in told]),
        "printed_gain": None if printed is None else deciding.printed_gain(mean.interval, printed),
        "q": apart.q,
        "p_q": apart.p,
    }


def _measured(record: Mapping[str, Any]) -> Measured:
    half = (record["high"] - record["low"]) / 2
    if record["df"] is None:  # without any spread
        return Measured(record["difference"], half, 1.0)
    return Measured(record["difference"], half / float(stdtrit(record["df"], (1 + CONFIDENCE) / 2)), record["df"])
