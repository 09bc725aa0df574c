"""What a study says of a claim: the difference with its interval, and a verdict."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from stages.files.run_directory import STATISTICAL
from stages.reporting.claims.claims import PaperClaim, counted_apart
from stages.reporting.claims.counts import AbsentError, Counts, TooFewError
from stages.reporting.claims.judged import VERDICTS, About, Judged
from stages.reporting.claims.margins import margin
from stages.reporting.claims.plans import OF_REVERSE, Plan, plan_of, rests_on, unread
from stages.reporting.claims.sizes import chance, comparable, verdict
from stages.reporting.claims.testable import objection
from stages.settings.systems import line, origin
from stages.statistics import deciding
from stages.statistics.crossed import (
    Components,
    Trainings,
    components,
    degrees_of_freedom,
    interval,
    p_value,
    variance,
)
from stages.statistics.multiple import benjamini_hochberg
from stages.statistics.seed_spread import Pool, Spread, moderated, own_spread, pool


class Spreads(NamedTuple):
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


def spreads_of(trainings: Callable[[str], Trainings], systems: Sequence[str], fine_tuned: Mapping[str, str]) -> Spreads:
    """The pool is of the systems trained from scratch: fine-tuned ones share the luck of their bases."""
    own = {}
    for name in systems:
        with suppress(AbsentError):
            own[name] = own_spread(trainings(name).values)
    independent = [name for name in own if name not in fine_tuned and name not in STATISTICAL]
    found = pool([own[name] for name in independent])
    members = dict(zip(independent, found.members, strict=True)) if found else {}
    return Spreads(own, members, found)


def families(weights: Mapping[str, float], fine_tuned: Mapping[str, str]) -> list[dict[str, float]]:
    """The systems with their weights, those with a common base together."""
    found: dict[str, dict[str, float]] = {}
    for variant, weight in weights.items():
        found.setdefault(origin(variant, fine_tuned), {})[variant] = weight
    return list(found.values())


UNSPREAD = "no training and no sentence differs from another, which says nothing of others"
"""Why systems that have learnt nothing, and have a BLEU of 0 in each run, are not compared."""


def judge(
    claims: Sequence[PaperClaim],
    counts: Counts,
    systems: Sequence[str],
    fine_tuned: Mapping[str, str],
    about: About,
) -> list[Judged]:
    """Each claim by itself; `p_fdr` alone knows of the others.

    systems: the variants of the study. fine_tuned: variant -> what it is initialised from: the runs of one seed of
    variants with a common base belong together, all others are independent trainings.

    Raises:
        InputError: a file of scores is missing or does not fit.
    """
    study = _Study(counts, systems, fine_tuned, about, {})
    return _for_their_number([_judge(claim, study) for claim in claims])


class _Study(NamedTuple):
    """The arguments of `judge`, and what was found of spreads so far."""

    counts: Counts
    systems: Sequence[str]
    fine_tuned: Mapping[str, str]
    about: About
    spreads: dict[Any, Spreads]


def _judge(claim: PaperClaim, study: _Study) -> Judged:
    weights, counts = claim.claim.ours.weights, study.counts
    if missing := [name for name in weights if name not in study.systems]:
        return Judged(claim, "not compared", why=f"not in this study: {', '.join(missing)}")
    plan = plan_of(claim, study.about.names, study.about.plans)
    if plan and (why := _unread(study.about.plans[plan], study)):
        return Judged(claim, "not compared", why=f"{why}: plan {plan}")
    try:
        of_systems = {name: _of_system(claim, counts, name) for name in weights}
        why = objection(claim, counts, study.systems, study.about.lowercase, study.about.whole_words)
    except TooFewError as error:
        return Judged(claim, "not testable", why=str(error))
    except AbsentError as error:
        return Judged(claim, "not compared", why=str(error))
    difference = sum(weight * float(of_systems[name].values.mean()) for name, weight in weights.items())
    seeds, sentences = len(counts.seeds), _sentences(claim, counts)
    apart = counted_apart(weights, study.about.sizes)
    bare = Judged(claim, "one seed", difference, seeds=seeds, sentences=sentences, apart=apart)
    if seeds < 2:
        return bare._replace(verdict="not testable", why=why) if why else bare
    found, units = _components(claim, study, of_systems, sentences)
    if not variance(found) and not any(one.effects.any() for one in of_systems.values()):
        return bare._replace(verdict="not testable", why=why or UNSPREAD)
    judged = _read(bare, found)
    if plan and rests_on(study.about.plans[plan], counts.seeds):
        judged = judged._replace(plan=plan)
    if why:
        return judged._replace(verdict="not testable", printed_gain=None, why=why)
    if not judged.verdict.startswith("undecided"):
        return judged
    needed = deciding.needed(found, seeds, sentences, units, chance(claim, margin(claim.measure)))
    train = _to_train(weights, study)
    each = [study.about.hours[name] for name in train if name in study.about.hours]
    known = len(each) == len(train)
    return judged._replace(
        seeds_needed=needed.seeds,
        sentences_needed=needed.sentences,
        to_train=train,
        hours_needed=(needed.seeds - seeds) * sum(each) if needed.seeds is not None and known else None,
    )


def _unread(plan: Plan, study: _Study) -> str | None:
    """See `unread`; a plan of the reverse direction is read when all of its systems are trained in it."""
    why = unread(plan, study.about.names, study.counts.seeds)
    if why or plan.claims != OF_REVERSE:
        return why
    missing = [name for name in plan.systems if not study.counts.has_reverse(name)]
    return f"read when {', '.join(missing)} has every seed in reverse, and not before" if missing else None


def _components(
    claim: PaperClaim, study: _Study, of_systems: Mapping[str, Trainings], sentences: int
) -> tuple[Components, int]:
    """And how many independent trainings with a seed a difference is of."""
    what = claim.measure, claim.claim.words, claim.claim.beside_words, claim.claim.beside_measure
    if what not in study.spreads:
        trainings = partial(_of_system, claim, study.counts)
        study.spreads[what] = spreads_of(trainings, study.systems, study.fine_tuned)
    units = families(claim.claim.ours.weights, study.fine_tuned)
    blocks = [_weighted([of_systems[name] for name in family], list(family.values())) for family in units]
    alone = [next(iter(family.items())) if len(family) == 1 else None for family in units]
    spreads = [study.spreads[what].of(*one) if one else None for one in alone]
    return components(blocks, sentences, spreads), sum(not set(family) & set(STATISTICAL) for family in units)


def _read(bare: Judged, found: Components) -> Judged:
    claim = bare.claim
    both = deciding.Found(interval(found), interval(found, deciding.EQUIVALENCE))
    most, printed = margin(claim.measure), comparable(claim)
    return bare._replace(
        verdict=verdict(claim, both, most),
        low=both.wide.low,
        high=both.wide.high,
        df_seeds=float(found.df_seeds),
        df=degrees_of_freedom(found) if variance(found) else None,
        p=p_value(found),
        margin=most,
        low_90=both.narrow.low,
        high_90=both.narrow.high,
        printed_gain=None if printed is None else deciding.printed_gain(both.wide, printed),
    )


def _for_their_number(judged: Sequence[Judged]) -> list[Judged]:
    """With `p_fdr`, of claims that are counted together; one of no difference has none, for p is of a difference."""
    found = list(judged)
    for part in (True, False):
        places = [
            k
            for k, one in enumerate(found)
            if one.verdict in VERDICTS and not one.claim.of_no_difference and one.apart == part
        ]
        adjusted = benjamini_hochberg(np.array([found[k].p for k in places]))
        for k, p in zip(places, adjusted.tolist(), strict=True):
            found[k] = found[k]._replace(p_fdr=p)
    return found


def _to_train(weights: Mapping[str, float], study: _Study) -> tuple[str, ...]:
    """The systems of a claim that are trained with seeds, and what they are initialised from."""
    untrained = (*STATISTICAL, *study.about.decoded)
    found = [name for variant in weights for name in reversed(line(variant, study.fine_tuned))]
    return tuple(dict.fromkeys(name for name in found if name not in untrained))


def _of_system(claim: PaperClaim, counts: Counts, variant: str) -> Trainings:
    """By the claim's measure; with two ranges of lengths or two measures, of the first less the second."""
    of = claim.claim
    found = counts.trainings(variant, claim.measure, of.words)
    if not of.beside_words and not of.beside_measure:
        return found
    other = counts.trainings(variant, of.beside_measure or claim.measure, of.beside_words or of.words)
    return _weighted([found, other], [1, -1])


def _weighted(parts: Sequence[Trainings], weights: Sequence[float]) -> Trainings:
    return Trainings(
        np.sum([weight * one.values for one, weight in zip(parts, weights, strict=True)], axis=0),
        np.sum([weight * one.effects for one, weight in zip(parts, weights, strict=True)], axis=0),
    )


def _sentences(claim: PaperClaim, counts: Counts) -> int:
    first = next(iter(claim.claim.ours.weights))
    lengths = [claim.claim.words, *([claim.claim.beside_words] if claim.claim.beside_words else [])]
    return sum(counts.sentences(claim.measure, first, words) for words in lengths)
