"""What a study says of a claim: the difference with its interval, and a verdict."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import numpy as np

from stages.files.run_directory import STATISTICAL
from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import AbsentError, Counts
from stages.statistics import deciding
from stages.statistics.crossed import Trainings, components, interval
from stages.statistics.seed_spread import Pool, Spread, moderated, own_spread, pool

Verdict = Literal["agrees", "disagrees", "undecided", "one seed", "not compared"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "disagrees", "undecided")
"""Those that a study gives; the others are none."""


class Judged(NamedTuple):
    """A claim and what the study says of it; None where there is nothing.

    difference: of the means over the seeds; low, high: its 95 % interval over seeds and sentences; seeds, sentences:
    how many it rests on; df_seeds: degrees of freedom of the spread of the seeds; seeds_needed, sentences_needed: of an
    undecided one, see `deciding.Needed`; why: of one that is not compared.
    """

    claim: PaperClaim
    verdict: Verdict
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    seeds: int | None = None
    sentences: int | None = None
    df_seeds: float | None = None
    seeds_needed: int | None = None
    sentences_needed: int | None = None
    why: str | None = None


class _Spreads(NamedTuple):
    """How far apart the trainings of single systems lie, by one measure: of each by itself, and of all together."""

    own: Mapping[str, Spread]
    members: Mapping[str, bool]
    pool: Pool | None

    def of(self, variant: str, weight: float) -> Spread:
        """Of a system times a weight. A statistical one is trained once and has no spread."""
        found = self.own[variant]
        if variant not in STATISTICAL:
            found = moderated(found, self.members.get(variant, False), self.pool)
        return found._replace(variance=weight**2 * found.variance)


def judge(
    claims: Sequence[PaperClaim], counts: Counts, systems: Sequence[str], fine_tuned: Mapping[str, str]
) -> list[Judged]:
    """Each claim by itself; nothing is corrected for their number, which the reader sees.

    systems: the variants of the study. fine_tuned: variant -> what it is initialised from: the runs of one seed of
    variants with a common base belong together, all others are independent trainings.

    Raises:
        InputError: a file of scores is missing or does not fit.
    """
    spreads: dict[Any, _Spreads] = {}
    return [_judge(claim, counts, systems, fine_tuned, spreads) for claim in claims]


def _judge(
    claim: PaperClaim,
    counts: Counts,
    systems: Sequence[str],
    fine_tuned: Mapping[str, str],
    spreads: dict[Any, _Spreads],
) -> Judged:
    weights = claim.claim.ours.weights
    if missing := [name for name in weights if name not in systems]:
        return Judged(claim, "not compared", why=f"not in this study: {', '.join(missing)}")
    try:
        of_systems = {name: _of_system(claim, counts, name) for name in weights}
    except AbsentError as error:
        return Judged(claim, "not compared", why=str(error))
    difference = sum(weight * float(of_systems[name].values.mean()) for name, weight in weights.items())
    seeds, sentences = len(counts.seeds), _sentences(claim, counts)
    if seeds < 2:
        return Judged(claim, "one seed", difference, seeds=seeds, sentences=sentences)
    what = claim.measure, claim.claim.words, claim.claim.beside_words
    if what not in spreads:
        spreads[what] = _spreads(claim, counts, systems, fine_tuned)
    families = _families(weights, fine_tuned)
    blocks = [_weighted([of_systems[name] for name in family], list(family.values())) for family in families]
    alone = [next(iter(family.items())) if len(family) == 1 else None for family in families]
    found = components(blocks, sentences, [spreads[what].of(*one) if one else None for one in alone])
    bounds = interval(found)
    verdict = deciding.verdict(bounds, claim.sign)
    needed = deciding.needed(found, seeds, sentences) if verdict == "undecided" else deciding.Needed(None, None)
    return Judged(claim, verdict, difference, *bounds, seeds, sentences, float(found.df_seeds), *needed)


def _of_system(claim: PaperClaim, counts: Counts, variant: str) -> Trainings:
    """By the claim's measure; with two ranges of lengths, of the first less the second."""
    found = counts.trainings(variant, claim.measure, claim.claim.words)
    if not claim.claim.beside_words:
        return found
    return _weighted([found, counts.trainings(variant, claim.measure, claim.claim.beside_words)], [1, -1])


def _weighted(parts: Sequence[Trainings], weights: Sequence[float]) -> Trainings:
    return Trainings(
        np.sum([weight * one.values for one, weight in zip(parts, weights, strict=True)], axis=0),
        np.sum([weight * one.effects for one, weight in zip(parts, weights, strict=True)], axis=0),
    )


def _spreads(claim: PaperClaim, counts: Counts, systems: Sequence[str], fine_tuned: Mapping[str, str]) -> _Spreads:
    """The pool is of the systems trained from scratch: fine-tuned ones share the luck of their bases."""
    own = {}
    for name in systems:
        with suppress(AbsentError):
            own[name] = own_spread(_of_system(claim, counts, name).values)
    independent = [name for name in own if name not in fine_tuned and name not in STATISTICAL]
    found = pool([own[name] for name in independent])
    members = dict(zip(independent, found.members, strict=True)) if found else {}
    return _Spreads(own, members, found)


def _families(weights: Mapping[str, float], fine_tuned: Mapping[str, str]) -> list[dict[str, float]]:
    """The systems with their weights, those with a common base together."""
    families: dict[str, dict[str, float]] = {}
    for variant, weight in weights.items():
        families.setdefault(_root(variant, fine_tuned), {})[variant] = weight
    return list(families.values())


def _root(variant: str, fine_tuned: Mapping[str, str]) -> str:
    while variant in fine_tuned:
        variant = fine_tuned[variant]
    return variant


def _sentences(claim: PaperClaim, counts: Counts) -> int:
    first = next(iter(claim.claim.ours.weights))
    lengths = [claim.claim.words, *([claim.claim.beside_words] if claim.claim.beside_words else [])]
    return sum(counts.sentences(claim.measure, first, words) for words in lengths)


def record(judged: Judged) -> dict[str, Any]:
    """Of metrics.json. The paper's difference is text, with the digits that it prints."""
    claim = judged.claim
    paper = None if claim.difference is None else f"{claim.difference:+}"
    about = {"paper": claim.paper, "place": claim.claim.place, "says": claim.claim.says, "measure": claim.measure}
    about |= {"systems": claim.claim.ours.weights, "claimed": claim.claim.claimed, "paper_difference": paper}
    return about | {key: value for key, value in judged._asdict().items() if key != "claim"}
