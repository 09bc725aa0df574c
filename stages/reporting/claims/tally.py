"""How many claims, and how many contrasts of systems, have each verdict; from what metrics.json says of them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from stages.reporting.claims.claims import Contrast, contrast, counted_apart
from stages.reporting.claims.judged import AGREES, DISAGREES, VERDICTS
from stages.statistics.deciding import PrintedGain, Verdict

Records = Mapping[str, Mapping[str, Any]]
"""Of claims, by id: as `record` has them."""

LEVEL = 0.05
"""The false discovery rate."""


class Tally(NamedTuple):
    """claims: verdict -> ids of those that have it; contrasts: the same of their contrasts, of which one can have
    several verdicts by several measures; lasting: of the ids those that stay at a false discovery rate of `LEVEL`;
    printed: ids of claims with a printed gain -> whether one as large is possible."""

    claims: Mapping[Verdict, tuple[str, ...]]
    contrasts: Mapping[Verdict, frozenset[Contrast]]
    lasting: frozenset[str]
    printed: Mapping[str, PrintedGain]

    @property
    def number(self) -> int:
        """Of claims with a verdict."""
        return sum(map(len, self.claims.values()))

    @property
    def all_contrasts(self) -> frozenset[Contrast]:
        return frozenset().union(*self.contrasts.values())

    def of(self, *verdicts: Verdict) -> list[str]:
        """Ids of the claims with one of these verdicts."""
        return [name for verdict in verdicts for name in self.claims[verdict]]

    def on(self, *verdicts: Verdict) -> int:
        """On how many contrasts there is one with one of these verdicts."""
        return len(frozenset().union(*(self.contrasts[verdict] for verdict in verdicts)))

    def stay(self, *verdicts: Verdict) -> int:
        """How many claims with one of these verdicts stay at the false discovery rate."""
        return len(self.lasting.intersection(self.of(*verdicts)))


def tally(records: Records) -> Tally:
    """Of the claims that have one of `VERDICTS`; of the mean of several corpora there is no `p_fdr`."""
    with_verdict = {name: one for name, one in records.items() if one["verdict"] in VERDICTS}
    claims = {v: tuple(name for name, one in with_verdict.items() if one["verdict"] == v) for v in VERDICTS}
    return Tally(
        claims,
        {v: frozenset(contrast(with_verdict[name]["systems"]) for name in names) for v, names in claims.items()},
        frozenset(name for name, one in with_verdict.items() if one["p_fdr"] is not None and one["p_fdr"] <= LEVEL),
        {name: one["printed_gain"] for name, one in with_verdict.items() if one["printed_gain"]},
    )


def apart(records: Records) -> tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]:
    """The records that are counted together, and those that are counted apart."""
    found = {name: counted_apart(one["systems"]) for name, one in records.items()}
    return {n: one for n, one in records.items() if not found[n]}, {n: one for n, one in records.items() if found[n]}


UNDECIDED: tuple[Verdict, ...] = tuple(verdict for verdict in VERDICTS if verdict not in (*AGREES, *DISAGREES))
