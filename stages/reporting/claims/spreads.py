"""How far apart the trainings of a study's systems lie by one measure, and which trainings are independent."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from stages.files.run_directory import STATISTICAL
from stages.reporting.claims.counts import AbsentError
from stages.statistics.crossed import Trainings
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
        found.setdefault(_root(variant, fine_tuned), {})[variant] = weight
    return list(found.values())


def _root(variant: str, fine_tuned: Mapping[str, str]) -> str:
    while variant in fine_tuned:
        variant = fine_tuned[variant]
    return variant
