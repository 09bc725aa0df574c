"""What a study says of a claim, as it is handed on."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.plans import Plan
from stages.statistics import deciding

Verdict = deciding.Verdict | Literal["not testable", "one seed", "not compared"]
VERDICTS: tuple[deciding.Verdict, ...] = get_args(deciding.Verdict)
"""Those that a study gives; the others are none."""
AGREES: tuple[deciding.Verdict, ...] = ("agrees, smaller than printed", "agrees")
DISAGREES: tuple[deciding.Verdict, ...] = ("disagrees",)


class About(NamedTuple):
    """What is known of a study beside its counts.

    names: of the study and of its corpus; lowercase: the text has no capitals; hours: variant -> CPU-hours of one
    training, where known; sizes: system -> parameters, of all but SMT; plans: see `read_plans`; decoded: systems
    without a training, which share that of another; whole_words: they are not cut, so some are unknown.
    """

    names: Sequence[str] = ()
    lowercase: bool = False
    hours: Mapping[str, float] = MappingProxyType({})
    sizes: Mapping[str, float] = MappingProxyType({})
    plans: Mapping[str, Plan] = MappingProxyType({})
    decoded: Collection[str] = ()
    whole_words: bool = False


class Judged(NamedTuple):
    """A claim and what the study says of it; None where there is nothing.

    difference: of the means over the seeds; low, high: its 95 % interval over seeds and sentences; seeds, sentences:
    how many it rests on; df_seeds: degrees of freedom of the spread of the seeds; df: of Student's t; p: two-sided;
    p_fdr: the same by Benjamini and Hochberg, among the claims that are counted together; margin: the largest
    difference that does not matter; low_90, high_90: the interval that is held against it; printed_gain: whether one
    as large as the paper's is possible; seeds_needed, sentences_needed: of an undecided one, see `deciding.Needed`;
    to_train, hours_needed: the systems that need the seeds, and CPU-hours of their trainings; plan: the one that it
    rests on; why: of one that is not testable or not compared; apart: see `counted_apart`, False of one not compared.
    """

    claim: PaperClaim
    verdict: Verdict
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    seeds: int | None = None
    sentences: int | None = None
    df_seeds: float | None = None
    df: float | None = None
    p: float | None = None
    p_fdr: float | None = None
    margin: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    printed_gain: deciding.PrintedGain | None = None
    seeds_needed: int | None = None
    sentences_needed: int | None = None
    to_train: tuple[str, ...] = ()
    hours_needed: float | None = None
    plan: str | None = None
    why: str | None = None
    apart: bool = False

    @property
    def to_zero(self) -> float | None:
        """How far 0 is from the nearer limit, inside the interval or outside: by so much it is decided or is not. None
        of a claim of no difference, of which 0 decides nothing."""
        if self.low is None or self.high is None or self.claim.of_no_difference:
            return None
        return min(abs(self.low), abs(self.high))


def record(judged: Judged) -> dict[str, Any]:
    """Of metrics.json. The paper's difference is text, with the digits that it prints."""
    claim = judged.claim
    paper = None if claim.difference is None else f"{claim.difference:+}"
    about: dict[str, Any] = {
        "paper": claim.paper,
        "place": claim.claim.place,
        "says": claim.claim.says,
        "measure": claim.measure,
    }
    about |= {"systems": claim.claim.ours.weights, "claimed": claim.claim.claimed, "paper_difference": paper}
    of_study = {key: value for key, value in judged._asdict().items() if key != "claim"}
    return about | of_study | {"to_zero": judged.to_zero, "to_train": list(judged.to_train)}
