"""The figures in docs/findings.md: ours with its interval, and the paper's."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from statistics import fmean
from textwrap import fill
from typing import Any

from docs.make.results import judged, telling
from stages.reporting.claims import words
from stages.reporting.claims.claims import PaperClaim, all_claims, contrast, own_claims
from stages.reporting.claims.sizes import comparable, size
from stages.reporting.claims.summary import lasting
from stages.reporting.metrics import leaves
from stages.reporting.overview.means import DISAGREE, judging, means, one_a_corpus
from stages.reporting.overview.study import Study
from stages.reporting.tables.table import signed
from stages.text.counted import listed

MEAN, CORPORA = "mean", "corpora"
NAMES = {"hansards-en-fr": "Hansards", "zh-en": "Chinese-English", "multi30k-de-en": "Multi30k"}
"""Of corpora in sentences; others are named as their study."""


def finding(claim: str, study: str) -> str:
    """`BLEU +0.42 (+0.12 to +0.73) [+0.68]`: the measure, our difference, its 95 % interval, the paper's difference
    if sizes compare; with † if it does not stay decided.

    study: its name, or `mean`: that of all corpora with an interval for the claim; `corpora`: the names of these, as
    `Hansards and Chinese-English`.

    Raises:
        KeyError: no claim has this id, the study has no interval for it, or the corpora disagree, so that their mean
            stands for none of them.
    """
    about, found = _claims().get(claim), _records().get((claim, MEAN if study == CORPORA else study))
    if about is None or found is None:
        raise KeyError(f"{claim}:{study} has no figure: no interval, or corpora disagree; write that sentence anew")
    if study == CORPORA:
        return listed([NAMES.get(one.name, one.name) for one in judging(claim, _corpora())])
    low, high = signed(found["low"]), signed(found["high"])
    told = about.difference is not None and (about.of_no_difference or comparable(about) is not None)
    printed = f" [{about.difference:+}]" if told else ""
    measure = words.measure(about).replace(" ↑", "").replace(" ↓", "")
    return f"{measure} {signed(found['difference'])} ({low} to {high}){printed}{' †' * (not lasting(found))}"


def sizes() -> str:
    """How many differences that the papers print are larger than the interval of the mean of the corpora, and so on;
    also in proportion to the value of the system that they are a difference from."""
    of = {claim: found for (claim, study), found in _records().items() if study == MEAN and not found["apart"]}
    plain = {name: size(_claims()[name], one["low"], one["high"]) for name, one in of.items()}
    scaled = {name: size(_claims()[name], one["low"], one["high"], _scale(name)) for name, one in of.items()}
    found, other = (Counter(one for one in sizes.values() if one) for sizes in (plain, scaled))
    pairs = {contrast(_claims()[claim].claim.ours.weights) for claim, one in plain.items() if one}
    return fill(
        f"For {found.total()} printed differences of {len(pairs)} pairs of systems, several corpora have a mean that "
        "describes them (without perplexities, counted phrases, SMT and the Transformer). "
        f"{found['larger']} of these printed differences lie above its interval, {found['within']} within "
        f"it, {found['smaller'] or 'none'} below it. The NIST test sets have four references, which raise BLEU. "
        "In proportion to the other system's value, "
        f"{other['larger']} lie above, {other['within']} within and {other['smaller'] or 'none'} below.",
        120,
    )


def _scale(claim: str) -> float:
    """Of the system that a printed difference is from, our value, in the mean of the corpora, by the paper's; 1 where
    the paper has no value of it, or the difference is of two measures of one system."""
    about = _claims()[claim]
    if about.control is None or about.claim.ours.against is None:
        return 1.0
    ours = fmean(
        dict(leaves(study.document["systems"][about.claim.ours.against]["mean"]))[about.measure]
        for study in judging(claim, _corpora())
    )
    return ours / float(about.control)


@cache
def _corpora() -> list[Study]:
    """In the order of params.yaml."""
    told = telling()
    names = [study.name for study in told]
    return sorted(one_a_corpus(told), key=lambda study: names.index(study.name))


@cache
def _claims() -> dict[str, PaperClaim]:
    return {claim.id: claim for claim in (*all_claims(), *own_claims())}


@cache
def _records() -> dict[tuple[str, str], Mapping[str, Any]]:
    told = telling()
    found = {(claim, study.name): one for study in told for claim, one in judged(study).items()}
    return found | {(claim, MEAN): one for claim, one in means(told).items() if one["verdict"] != DISAGREE}
