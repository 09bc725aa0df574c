"""The verdicts of a study in a few sentences, for the heads of its pages."""

from collections import Counter

from stages.reporting.claims.judged import AGREES, DISAGREES
from stages.reporting.claims.tally import UNDECIDED, Records, Tally, apart, tally


def summary(records: Records, asked: int) -> str:
    """How many claims and contrasts have each verdict.

    records: of the claims that a study was asked and has an answer to, as in metrics.json; asked: how many there are.
    """
    counted = Counter(one["verdict"] for one in records.values())
    if counted["one seed"]:
        return f"This study has the systems of {counted['one seed']} of {asked} claims, but a verdict takes two seeds."
    whole = tally(records)
    if not whole.number:
        return f"This study judges none of {asked} claims."
    together, rest = map(tally, apart(records))
    said = [
        f"This study judges {whole.number} of {asked} claims, about {_contrasts(len(whole.all_contrasts))} of systems."
    ]
    if together.number:
        if rest.number:
            said.append(
                f"{together.number} of them, about {_contrasts(len(together.all_contrasts))}, concern neither "
                "SMT nor the Transformer."
            )
        said += _verdicts(together)
        agreements, disagreements = together.stay(*AGREES), together.stay(*DISAGREES)
        said.append(
            f"At a false discovery rate of 5 %, {_count(agreements, 'agreement', 'agreements')} and "
            f"{_count(disagreements, 'disagreement', 'disagreements')} remain."
        )
        said += _printed(together)
    if rest.number:
        agrees, disagrees, undecided = (len(rest.of(*group)) for group in (AGREES, DISAGREES, UNDECIDED))
        said.append(
            "SMT, which is tuned once, and the Transformer, which is smaller than the others, are counted separately: "
            f"{_count(agrees, 'claim agrees', 'claims agree')}, {_count(disagrees, 'disagrees', 'disagree')}, "
            f"{_count(undecided, 'is', 'are')} undecided."
        )
    if counted["not testable"]:
        said.append(f"{_count(counted['not testable'], 'more claim', 'more claims')} cannot be tested here.")
    return " ".join(said)


def means_summary(records: Records) -> str:
    """The same of the means of several corpora, of which there is no false discovery rate; and how many disagree."""
    whole = tally(records)
    disagree = sum(one["verdict"] == "corpora disagree" for one in records.values())
    said = [
        f"Several corpora judge {_count(len(records), 'claim', 'claims')}. On {disagree} of them the corpora disagree."
    ]
    if whole.number:
        said.append(f"The others have a mean: {_count(whole.number, 'claim', 'claims')}.")
        said += _verdicts(whole)
    return " ".join([*said, *_printed(whole)])


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _contrasts(number: int) -> str:
    return _count(number, "contrast", "contrasts")


def _verdicts(of: Tally) -> list[str]:
    """Two sentences; the second one only if something is undecided."""
    agrees, disagrees, undecided = of.of(*AGREES), of.of(*DISAGREES), of.of(*UNDECIDED)
    smaller = len(of.of("agrees, smaller than printed"))
    none, excluded = len(of.of("no difference above m")), len(of.of("undecided, printed gain excluded"))
    said = [
        f"Of these, {_count(len(agrees), 'agrees', 'agree')} ({_contrasts(of.on(*AGREES))}), {smaller} of them by less "
        f"than printed; {_count(len(disagrees), 'disagrees', 'disagree')} ({_contrasts(of.on(*DISAGREES))}); "
        f"{_count(len(undecided), 'is', 'are')} undecided ({_contrasts(of.on(*UNDECIDED))})."
    ]
    if undecided:
        said.append(
            f"Of the undecided ones, {_count(none, 'has', 'have')} no difference that matters, and "
            f"{_count(excluded, 'excludes', 'exclude')} the printed gain."
        )
    return said


def _printed(of: Tally) -> list[str]:
    if not of.printed:
        return []
    possible = sum(one == "possible" for one in of.printed.values())
    return [
        f"{_count(len(of.printed), 'claim has', 'claims have')} a printed difference of comparable size: a gain "
        f"as large as printed is possible for {possible} and excluded for {len(of.printed) - possible}."
    ]
