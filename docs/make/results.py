"""What the studies on real text have found, as the first page has it."""

from collections.abc import Iterator, Mapping
from typing import Any

from docs.make.imports import ROOT
from stages.reporting.claims.judged import AGREES, DISAGREES
from stages.reporting.claims.summary import OF_OUR_OWN, by_origin, tally
from stages.reporting.outputs import PAGE
from stages.reporting.overview.claims import GROUPS
from stages.reporting.overview.study import Study, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import markdown
from stages.settings.params import read

REPORTS = ROOT / "reports"
SHOWN = ("hansards-en-fr", "zh-en", "multi30k-de-en")
"""Whose systems the first page shows; its text names them."""
BEYOND = "hansards-en-fr-beyond"
"""Judges our own claims. Others of its claims are of the same trainings as those of hansards-en-fr."""
MEASURES = ("bleu", "aer", "rot")
SYSTEMS = (
    "rnnencdec",
    "rnnsearch",
    "rnnsearch_star",
    "luong_global_general",
    "coverage_nn_gru",
    "recurrent_attention",
    "supervised_attention",
    "ba_nmt",
    "transformer",
    "smt",
)
"""One of each kind; all of them stand in reports/README.md."""


def telling() -> list[Study]:
    """The studies on real text that have verdicts, in the order of params.yaml."""
    content = read()
    found = {study.name: study for study in read_studies(REPORTS) if study.verdicts}
    return [found[name] for name in content["studies"] if name in found and _real(found[name], content)]


def _real(study: Study, content: Mapping[str, Any]) -> bool:
    corpus = study.document["recipe"]["data"]["corpus"]
    return bool(content["corpora"][corpus]["corpus"]["kind"] != "demo")


def judged(study: Study) -> dict[str, Mapping[str, Any]]:
    """The claims that a study can test and has an interval for, by id."""
    claims = (study.claims or {}).items()
    return {name: one for name, one in claims if one["low"] is not None and one["verdict"] != "not testable"}


def results() -> str:
    """These systems in these studies."""
    found = {study.name: study for study in read_studies(REPORTS)}
    return markdown(systems_table([found[name] for name in SHOWN], MEASURES, SYSTEMS)).rstrip()


def verdicts() -> str:
    """How many claims of the papers each study judges, or of our own that of these, and with what result, as
    reports/README.md counts them."""
    return "\n".join(f"- {line}" for line in _said())


def untried() -> str:
    """The systems of params.yaml that no report has results of."""
    tried = {name for study in read_studies(REPORTS) for name in study.document["systems"]}
    names = ", ".join(f"`{name}`" for name in read()["variants"] if name not in tried)
    return f"No report has results of {names}." if names else "Every system has results in some report."


def _said() -> Iterator[str]:
    for study in telling():
        of_papers, own = by_origin(judged(study))
        found, kind = (tally(own), OF_OUR_OWN) if study.name == BEYOND else (tally(of_papers), "claims")
        agree, disagree, undecided = (len(found.of(*group)) for group in GROUPS)
        told = f"{agree} agree, {disagree} disagree, {undecided} are undecided"
        lasting = found.stay(*AGREES, *DISAGREES)
        yield f"[{study.name}](reports/{study.name}/{PAGE}): of {found.number} {kind} {told}; {lasting} stay decided"
