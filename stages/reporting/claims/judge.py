"""What a study says of a claim: the difference with its interval, and a verdict."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import AbsentError, Counts
from stages.statistics import deciding
from stages.statistics.crossed import Trainings, components, interval

Verdict = Literal["agrees", "disagrees", "undecided", "one seed", "not compared"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "disagrees", "undecided")
"""Those that a study gives; the others are none."""


class Judged(NamedTuple):
    """A claim and what the study says of it; None where there is nothing.

    difference: of the means over the seeds; low, high: its 95 % interval over seeds and sentences; seeds, sentences:
    how many it rests on; seeds_needed, sentences_needed: of an undecided one, see `deciding.Needed`; why: of one that
    is not compared.
    """

    claim: PaperClaim
    verdict: Verdict
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    seeds: int | None = None
    sentences: int | None = None
    seeds_needed: int | None = None
    sentences_needed: int | None = None
    why: str | None = None


def judge(
    claims: Sequence[PaperClaim], counts: Counts, systems: Sequence[str], fine_tuned: Mapping[str, str]
) -> list[Judged]:
    """Each claim by itself; nothing is corrected for their number, which the reader sees.

    systems: the variants of the study. fine_tuned: variant -> what it is initialised from: the runs of one seed of
    variants with a common base belong together, all others are independent trainings.

    Raises:
        InputError: a file of scores is missing or does not fit.
    """
    return [_judge(claim, counts, systems, fine_tuned) for claim in claims]


def _judge(claim: PaperClaim, counts: Counts, systems: Sequence[str], fine_tuned: Mapping[str, str]) -> Judged:
    weights = claim.claim.ours.weights
    if missing := [name for name in weights if name not in systems]:
        return Judged(claim, "not compared", why=f"not in this study: {', '.join(missing)}")
    try:
        blocks = _blocks(claim, counts, fine_tuned)
    except AbsentError as error:
        return Judged(claim, "not compared", why=str(error))
    seeds, sentences = len(counts.seeds), _sentences(claim, counts)
    if seeds < 2:
        difference = sum(float(block.values.mean()) for block in blocks)
        return Judged(claim, "one seed", difference, seeds=seeds, sentences=sentences)
    found = components(blocks, sentences)
    verdict = deciding.verdict(found, claim.sign)
    needed = deciding.needed(found, seeds, sentences) if verdict == "undecided" else deciding.Needed(None, None)
    low, high = interval(found)
    return Judged(claim, verdict, float(found.difference), low, high, seeds, sentences, *needed)


def _blocks(claim: PaperClaim, counts: Counts, fine_tuned: Mapping[str, str]) -> list[Trainings]:
    """One for each family of systems with a common base."""
    lengths = [(1, claim.claim.words)]
    if claim.claim.beside_words:
        lengths.append((-1, claim.claim.beside_words))
    families: dict[str, list[Trainings]] = {}
    for variant, weight in claim.claim.ours.weights.items():
        for sign, words in lengths:
            found = counts.trainings(variant, claim.measure, words)
            weighted = Trainings(sign * weight * found.values, sign * weight * found.effects)
            families.setdefault(_root(variant, fine_tuned), []).append(weighted)
    return [
        Trainings(np.sum([one.values for one in family], axis=0), np.sum([one.effects for one in family], axis=0))
        for family in families.values()
    ]


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
