"""How many claims, and how many contrasts of systems, have each verdict; as numbers, and in a few sentences."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from stages.reporting.claims.claims import Contrast, beside_text, contrast, is_own
from stages.reporting.claims.judged import AGREES, DISAGREES, VERDICTS
from stages.statistics.deciding import PrintedGain, Verdict
from stages.text.counted import counted

Records = Mapping[str, Mapping[str, Any]]
"""Of claims, by id: as `record` has them."""

LEVEL = 0.05
"""The false discovery rate."""


class Tally(NamedTuple):
    """claims: verdict -> ids of those that have it; contrasts: the same of their contrasts, of which one can have
    several verdicts by several measures; lasting: of the ids those that are `lasting`; unrated: those without a rate;
    printed: ids of claims with a printed gain -> whether one as large is possible."""

    claims: Mapping[Verdict, tuple[str, ...]]
    contrasts: Mapping[Verdict, frozenset[Contrast]]
    lasting: frozenset[str]
    unrated: frozenset[str]
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
        """How many claims with one of these verdicts stay at the false discovery rate, or have none."""
        return len(self.lasting.intersection(self.of(*verdicts)))


def lasting(record: Mapping[str, Any]) -> bool:
    """Whether a claim is not decided, or stays decided at a false discovery rate of `LEVEL`; one without a `p_fdr` has
    no such rate."""
    return record["verdict"] not in (*AGREES, *DISAGREES) or record["p_fdr"] is None or record["p_fdr"] <= LEVEL


def tally(records: Records) -> Tally:
    """Of the claims that have one of `VERDICTS`."""
    with_verdict = {name: one for name, one in records.items() if one["verdict"] in VERDICTS}
    claims = {v: tuple(name for name, one in with_verdict.items() if one["verdict"] == v) for v in VERDICTS}
    return Tally(
        claims,
        {v: frozenset(contrast(with_verdict[name]["systems"]) for name in names) for v, names in claims.items()},
        frozenset(name for name, one in with_verdict.items() if lasting(one)),
        frozenset(name for name, one in with_verdict.items() if one["p_fdr"] is None),
        {name: one["printed_gain"] for name, one in with_verdict.items() if one["printed_gain"]},
    )


def apart(records: Records) -> tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]:
    """The records that are counted together, and those that are counted apart."""
    return {n: one for n, one in records.items() if not one["apart"]}, {n: o for n, o in records.items() if o["apart"]}


def by_origin(records: Records) -> tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]:
    """The records of the papers' claims, and those of our own."""
    return {n: one for n, one in records.items() if not is_own(n)}, {n: one for n, one in records.items() if is_own(n)}


UNDECIDED: tuple[Verdict, ...] = tuple(verdict for verdict in VERDICTS if verdict not in (*AGREES, *DISAGREES))


OF_OUR_OWN = "claims of our own"


def summary(records: Records, asked: int, kind: str = "claims") -> str:
    """How many claims and contrasts have each verdict.

    records: of the claims that a study was asked and has an answer to, as in metrics.json; asked: how many there are.
    kind: what to call all of them.
    """
    verdicts = Counter(one["verdict"] for one in records.values())
    if verdicts["one seed"]:
        return f"This study has the systems of {len(records)} of {asked} {kind}, but a verdict takes two seeds."
    whole = tally(records)
    if not whole.number:
        return f"This study judges none of {asked} {kind}."
    together, rest = map(tally, apart(records))
    said = [
        f"This study judges {whole.number} of {asked} {kind}, about {counted(len(whole.all_contrasts), 'contrast')} of "
        "systems."
    ]
    if together.number:
        if rest.number:
            said.append(
                f"{together.number} of them, about {counted(len(together.all_contrasts), 'contrast')}, concern neither "
                "SMT, nor reconstructions, nor the Transformer beside much larger systems."
            )
        said += _verdicts(together)
        said += [_remaining(together), *_printed(together)]
    if rest.number:
        agrees, disagrees, undecided = (len(rest.of(*group)) for group in (AGREES, DISAGREES, UNDECIDED))
        said.append(
            "SMT, which is tuned once, reconstructions, and the Transformer beside much larger systems are counted "
            f"separately: {_count(agrees, 'claim agrees', 'claims agree')}, "
            f"{_count(disagrees, 'disagrees', 'disagree')}, {_count(undecided, 'is', 'are')} undecided."
        )
    said += _of_text(whole)
    if verdicts["not testable"]:
        said.append(f"{counted(verdicts['not testable'], 'more claim')} cannot be tested here.")
    return " ".join(said)


def _of_text(of: Tally) -> list[str]:
    """A sentence, if there are others."""
    agrees, disagrees, undecided = (set(of.of(*group)) - beside_text() for group in (AGREES, DISAGREES, UNDECIDED))
    made = len(agrees) + len(disagrees) + len(undecided)
    if made == of.number:
        return []
    return [
        f"The papers' text makes {made} of the {of.number} claims ({_count(len(agrees), 'agrees', 'agree')}, "
        f"{_count(len(disagrees), 'disagrees', 'disagree')}, {_count(len(undecided), 'is', 'are')} undecided); the "
        "others compare figures that it does not, or are our reading."
    ]


def _remaining(of: Tally) -> str:
    kinds = ((AGREES, "agreement"), (DISAGREES, "disagreement"))
    unrated = {name: len(of.unrated.intersection(of.of(*group))) for group, name in kinds}
    rated = " and ".join(counted(of.stay(*group) - unrated[name], name) for group, name in kinds)
    more = " and ".join(counted(number, name) for name, number in unrated.items() if number)
    without = f"; claims of no difference, which have no such rate, have {more} more" if more else ""
    return f"At a false discovery rate of 5 %, {rated} remain{without}."


def means_summary(records: Records) -> str:
    """The same of the means of several corpora; and how many disagree."""
    whole = tally(records)
    disagree = sum(one["verdict"] == "corpora disagree" for one in records.values())
    said = [f"Several corpora judge {counted(len(records), 'claim')}. On {disagree} of them the corpora disagree."]
    if whole.number:
        said.append(f"The others have a mean: {counted(whole.number, 'claim')}.")
        said += [*_verdicts(whole), _remaining(whole)]
    return " ".join([*said, *_printed(whole)])


def _count(number: int, one: str, many: str) -> str:
    """Of verbs, whose plural has no s."""
    return f"{number} {one if number == 1 else many}"


def _verdicts(of: Tally) -> list[str]:
    """Two sentences; the second one only if something is undecided."""
    agrees, disagrees, undecided = of.of(*AGREES), of.of(*DISAGREES), of.of(*UNDECIDED)
    none, excluded = len(of.of("no difference above m")), sum(of.printed.get(name) == "excluded" for name in undecided)
    smaller = f", {len(of.of('agrees, smaller than printed'))} of them by less than printed" if of.printed else ""
    said = [
        f"Of these, {_count(len(agrees), 'agrees', 'agree')} ({counted(of.on(*AGREES), 'contrast')}){smaller}; "
        f"{_count(len(disagrees), 'disagrees', 'disagree')} ({counted(of.on(*DISAGREES), 'contrast')}); "
        f"{_count(len(undecided), 'is', 'are')} undecided ({counted(of.on(*UNDECIDED), 'contrast')})."
    ]
    if undecided:
        gains = f", and {_count(excluded, 'excludes', 'exclude')} the printed gain" if of.printed else ""
        said.append(f"Of the undecided ones, {_count(none, 'has', 'have')} no difference that matters{gains}.")
    return said


def _printed(of: Tally) -> list[str]:
    if not of.printed:
        return []
    possible = sum(one == "possible" for one in of.printed.values())
    return [
        f"{_count(len(of.printed), 'claim has', 'claims have')} a printed difference of comparable size: a gain "
        f"as large as printed is possible for {possible} and excluded for {len(of.printed) - possible}."
    ]
