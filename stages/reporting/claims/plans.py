"""Which trainings were planned before the first of them began, read from `plans.yaml` in this folder.

Whoever looks at a verdict and adds seeds until it is decided is wrong more often than the verdict says. So seeds are
planned, with the number at which the verdicts are read, and no verdict is read from a part of them.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from stages.reporting.claims.claims import OWN, PaperClaim
from stages.reporting.claims.counts import REVERSE
from stages.reporting.papers.paper_tables import Printed
from stages.settings.params import Name, Seed, StudyName, read, validate

FILE = Path(__file__).parent / "plans.yaml"

Covered = Literal[
    "every claim that compares only systems of this plan",
    "every claim that compares only systems of this plan and of the one above",
    "every claim on perplexity of the reverse direction",
    "every claim of beyond.yaml",
]
OF_PLAN, OF_BOTH, OF_REVERSE, OF_OWN = get_args(Covered)


class Plan(Printed):
    """date: on which it was written; why, settings: for the reader; systems: that are trained; studies: whose text they
    are trained on; reported_in: those that read it, by default the same; seeds: that are added; read_at: the number of
    seeds a side at which verdicts are read, and not before; claims: which verdicts, one of four sentences."""

    date: date
    why: str
    settings: str
    systems: Annotated[list[Name], Field(min_length=1)]
    studies: Annotated[list[StudyName], Field(min_length=1)]
    reported_in: list[StudyName] | None = None
    seeds: Annotated[list[Seed], Field(min_length=1)]
    read_at: Annotated[int, Field(ge=2)]
    claims: Covered


def read_plans() -> dict[str, Plan]:
    """By name, in their order.

    Raises:
        InputError: a plan lacks something, or has what is not known.
    """
    return validate(read(FILE), dict[Annotated[str, Field(pattern=r"^[a-z0-9-]+$")], Plan], "plans", FILE)


def plan_of(claim: PaperClaim, studies: Collection[str], plans: Mapping[str, Plan]) -> str | None:
    """Name of the first plan on one of these studies that the claim is part of."""
    above: Sequence[str] = ()
    for name, plan in plans.items():
        if set(plan.studies) & set(studies) and _covers(plan, above, claim):
            return name
        above = plan.systems
    return None


def rests_on(plan: Plan, seeds: Sequence[int]) -> bool:
    """Whether the seeds of a study are those at which the plan is read."""
    return set(plan.seeds) <= set(seeds) and len(seeds) >= plan.read_at


def unread(plan: Plan, studies: Collection[str], seeds: Sequence[int]) -> str | None:
    """Why a study with these seeds reads no verdict of the plan: it has a part of them only, or another study reads
    them. None if it does, or has none of the plan's seeds.

    studies: the names of this one and of its corpus.
    """
    if not set(plan.seeds) & set(seeds):
        return None
    readers = plan.reported_in or plan.studies
    if not set(readers) & set(studies):
        return f"read in {' and '.join(readers)}"
    return None if rests_on(plan, seeds) else f"read at {plan.read_at} seeds, and not before"


def _covers(plan: Plan, above: Sequence[str], claim: PaperClaim) -> bool:
    systems = set(claim.claim.ours.weights)
    if plan.claims == OF_OWN:
        return claim.file == OWN
    if plan.claims == OF_REVERSE:
        return claim.measure == REVERSE
    own = {*plan.systems, *above} if plan.claims == OF_BOTH else set(plan.systems)
    return systems <= own and bool(systems & set(plan.systems))
