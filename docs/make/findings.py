"""The figures in docs/findings.md: ours with its interval, and the paper's."""

from collections import Counter
from functools import cache
from textwrap import fill

from docs.make.results import MORE_SEEDS, STUDIES, judged, studies
from stages.reporting.claims import words
from stages.reporting.claims.claims import PaperClaim, all_claims
from stages.reporting.claims.sizes import size
from stages.reporting.overview.means import DISAGREE, means
from stages.reporting.tables.table import signed
from stages.statistics.crossed import Interval
from stages.statistics.mean_of_corpora import Estimate

MEAN = "mean"


def finding(claim: str, study: str) -> str:
    """`BLEU +0.42 (+0.12 to +0.73) [+0.68]`: the measure, our difference, its 95 % interval, the paper's difference.

    study: its name, or `mean`: that of all corpora with an interval for the claim.

    Raises:
        KeyError: no claim has this id, the study has no interval for it, or the corpora disagree, so that their mean
            stands for none of them.
    """
    about, found = _claims()[claim], _estimates()[claim, study]
    low, high = signed(found.interval.low), signed(found.interval.high)
    printed = "" if about.difference is None else f" [{about.difference:+}]"
    measure = words.measure(about).replace(" ↑", "").replace(" ↓", "")
    return f"{measure} {signed(found.difference)} ({low} to {high}){printed}"


def sizes() -> str:
    """How many differences that the papers print are larger than the interval of the mean of the corpora, and so on."""
    of = (
        size(_claims()[claim], found.interval.low, found.interval.high)
        for (claim, study), found in _estimates().items()
        if study == MEAN
    )
    found = Counter(one for one in of if one)
    return fill(
        f"For {found.total()} printed differences, perplexities and counted phrases aside, several corpora agree and "
        f"have a mean. {found['larger']} of these printed differences lie above its interval, {found['within']} within "
        f"it, {found['smaller'] or 'none'} below it.",
        120,
    )


@cache
def _claims() -> dict[str, PaperClaim]:
    return {claim.id: claim for claim in all_claims()}


@cache
def _estimates() -> dict[tuple[str, str], Estimate]:
    told = studies(*STUDIES, *MORE_SEEDS)
    found = {(claim, study.name): one for study in told for claim, one in judged(study).items()}
    found |= {(claim, MEAN): one for claim, one in means(told).items() if one["verdict"] != DISAGREE}
    return {key: Estimate(one["difference"], Interval(one["low"], one["high"])) for key, one in found.items()}
