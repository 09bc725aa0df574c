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
        return (
            f"Of {asked} claims these systems speak to {counted['one seed']}, but a verdict takes two seeds at least."
        )
    whole = tally(records)
    if not whole.number:
        return f"These data speak to none of {asked} claims."
    together, rest = map(tally, apart(records))
    said = [f"Of {asked} claims these data speak to {_number(whole.number)} on {_on(whole)} of systems."]
    if together.number:
        without = f"Of the {together.number} on {_on(together)} that concern neither SMT nor the Transformer they"
        said.append(f"{without if rest.number else 'They'} {_verdicts(together)}")
        said.append(
            f"At a false discovery rate of 5 %, {together.stay(*AGREES)} agreements and {together.stay(*DISAGREES)} "
            "disagreements stay decided."
        )
        said += _printed(together)
    if rest.number:
        agrees, disagrees, undecided = (len(rest.of(*group)) for group in (AGREES, DISAGREES, UNDECIDED))
        said.append(
            "SMT, which is tuned once, and the Transformer, which is smaller than the others, are counted apart: of "
            f"their claims {agrees} agree, {disagrees} disagree and {undecided} are undecided."
        )
    if counted["not testable"]:
        said.append(f"{counted['not testable']} more cannot be tested here.")
    return " ".join(said)


def means_summary(records: Records) -> str:
    """The same of the means of several corpora, of which there is no false discovery rate; and how many disagree."""
    whole = tally(records)
    disagree = sum(one["verdict"] == "corpora disagree" for one in records.values())
    said = [f"Of {len(records)} claims that several corpora speak to, the corpora disagree on {disagree}."]
    if whole.number:
        said.append(f"The means of the other {whole.number} {_verdicts(whole)}")
    return " ".join([*said, *_printed(whole)])


def _number(claims: int) -> str:
    return "1 claim" if claims == 1 else f"{claims} claims"


def _contrasts(number: int) -> str:
    return "1 contrast" if number == 1 else f"{number} contrasts"


def _on(of: Tally) -> str:
    return _contrasts(len(of.all_contrasts))


def _verdicts(of: Tally) -> str:
    """From "agree" to the end of the sentence; whatever stands before it is plural."""
    agrees, disagrees, undecided = of.of(*AGREES), of.of(*DISAGREES), of.of(*UNDECIDED)
    smaller = len(of.of("agrees, smaller than printed"))
    none, excluded = len(of.of("no difference above m")), len(of.of("undecided, printed gain excluded"))
    return (
        f"agree with {_number(len(agrees))} on {_contrasts(of.on(*AGREES))} ({smaller} by less than printed), disagree "
        f"with {len(disagrees)} on {of.on(*DISAGREES)} and leave {len(undecided)} on {of.on(*UNDECIDED)} undecided, of "
        f"which {none} have no difference that matters and {excluded} exclude the printed gain."
    )


def _printed(of: Tally) -> list[str]:
    if not of.printed:
        return []
    possible = sum(one == "possible" for one in of.printed.values())
    return [
        f"A gain as large as printed is possible for {possible} of {len(of.printed)} claims with a figure, "
        "perplexities and counted phrases aside, and excluded for the others."
    ]
