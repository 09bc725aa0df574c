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
    said = [f"Of {asked} claims these data speak to {_claims(whole)}."]
    if rest.number:
        said[0] = f"{said[0][:-1]}: {_claims(together)} without SMT and the Transformer, {_claims(rest)} with them."
    if together.number:
        said.append(f"Without these two they {_verdicts(together)}" if rest.number else f"They {_verdicts(together)}")
        said += _more(together)
    if rest.number:
        said.append(
            f"On SMT, which is tuned once, and the Transformer, which is smaller than the others, they "
            f"{_verdicts(rest)}"
        )
    if counted["not testable"]:
        said.append(f"Not testable here: {counted['not testable']} more.")
    return " ".join(said)


def means_summary(records: Records) -> str:
    """The same of the means of several corpora, of which there is no false discovery rate; and how many disagree."""
    whole = tally(records)
    disagree = sum(one["verdict"] == "corpora disagree" for one in records.values())
    said = [f"Of {len(records)} claims that several corpora speak to, the corpora disagree on {disagree}."]
    if whole.number:
        said.append(f"The means of the other {whole.number} {_verdicts(whole)}")
    return " ".join([*said, *_printed(whole)])


def _claims(of: Tally) -> str:
    return f"{_number(of.number, 'claim')} on {_number(len(of.all_contrasts), 'contrast')}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _verdicts(of: Tally) -> str:
    """From "agree" to the end of the sentence."""
    agrees, disagrees, undecided = of.of(*AGREES), of.of(*DISAGREES), of.of(*UNDECIDED)
    smaller = len(of.of("agrees, smaller than printed"))
    none, excluded = len(of.of("no difference above m")), len(of.of("undecided, printed gain excluded"))
    return (
        f"agree with {len(agrees)} on {of.on(*AGREES)} ({smaller} by less than printed), disagree with "
        f"{len(disagrees)} on {of.on(*DISAGREES)} and leave {len(undecided)} on {of.on(*UNDECIDED)} undecided: of "
        f"these {none} have no difference that matters, and {excluded} more exclude the printed gain."
    )


def _more(of: Tally) -> list[str]:
    stay = f"At a false discovery rate of 5 % {of.stay(*AGREES)} and {of.stay(*DISAGREES)} stay decided."
    return [stay, *_printed(of)]


def _printed(of: Tally) -> list[str]:
    if not of.printed:
        return []
    possible = sum(one == "possible" for one in of.printed.values())
    return [
        f"A gain as large as printed is possible for {possible} of {len(of.printed)} claims with a figure, "
        "perplexities and counted phrases aside, and excluded for the others."
    ]
