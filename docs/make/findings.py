"""The figures in docs/findings.md: ours with its interval, and the paper's."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from textwrap import fill
from typing import Any

from docs.make.results import MORE_SEEDS, STUDIES, judged, studies
from stages.reporting.claims import words
from stages.reporting.claims.claims import PaperClaim, all_claims, contrast, counted_apart
from stages.reporting.claims.sizes import size
from stages.reporting.claims.summary import lasting
from stages.reporting.overview.means import DISAGREE, means
from stages.reporting.tables.table import signed

MEAN = "mean"


def finding(claim: str, study: str) -> str:
    """`BLEU +0.42 (+0.12 to +0.73) [+0.68]`: the measure, our difference, its 95 % interval, the paper's difference;
    with † if it does not stay decided.

    study: its name, or `mean`: that of all corpora with an interval for the claim.

    Raises:
        KeyError: no claim has this id, the study has no interval for it, or the corpora disagree, so that their mean
            stands for none of them.
    """
    about, found = _claims()[claim], _records()[claim, study]
    low, high = signed(found["low"]), signed(found["high"])
    printed = "" if about.difference is None else f" [{about.difference:+}]"
    measure = words.measure(about).replace(" ↑", "").replace(" ↓", "")
    return f"{measure} {signed(found['difference'])} ({low} to {high}){printed}{' †' * (not lasting(found))}"


def sizes() -> str:
    """How many differences that the papers print are larger than the interval of the mean of the corpora, and so on."""
    of = {
        claim: size(_claims()[claim], found["low"], found["high"])
        for (claim, study), found in _records().items()
        if study == MEAN and not counted_apart(_claims()[claim].claim.ours.weights)
    }
    found = Counter(one for one in of.values() if one)
    pairs = {contrast(_claims()[claim].claim.ours.weights) for claim, one in of.items() if one}
    return fill(
        f"For {found.total()} printed differences of {len(pairs)} pairs of systems, several corpora agree and have a "
        "mean (without perplexities, counted phrases, SMT and the Transformer). "
        f"{found['larger']} of these printed differences lie above its interval, {found['within']} within "
        f"it, {found['smaller'] or 'none'} below it.",
        120,
    )


@cache
def _claims() -> dict[str, PaperClaim]:
    return {claim.id: claim for claim in all_claims()}


@cache
def _records() -> dict[tuple[str, str], Mapping[str, Any]]:
    told = studies(*STUDIES, *MORE_SEEDS)
    found = {(claim, study.name): one for study in told for claim, one in judged(study).items()}
    return found | {(claim, MEAN): one for claim, one in means(told).items() if one["verdict"] != DISAGREE}
