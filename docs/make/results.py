"""What the studies on real text have found, as the first page has it."""

from collections.abc import Iterator, Mapping
from typing import Any

from docs.make.imports import ROOT
from stages.reporting.claims.judged import AGREES, DISAGREES
from stages.reporting.claims.summary import tally
from stages.reporting.outputs import PAGE
from stages.reporting.overview.claims import GROUPS
from stages.reporting.overview.study import Study, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import markdown
from stages.settings.params import read

REPORTS = ROOT / "reports"
STUDIES = ("hansards-en-fr", "zh-en", "multi30k-de-en")
MORE_SEEDS = ("hansards-en-fr-bridging", "zh-en-bridging")
"""Of some of the same systems."""
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


def studies(*names: str) -> list[Study]:
    """Those on real text with several seeds, of which each is the largest of its corpus, or those of these names."""
    found = {study.name: study for study in read_studies(REPORTS)}
    return [found[name] for name in names or STUDIES]


def judged(study: Study) -> dict[str, Mapping[str, Any]]:
    """The claims that a study can test and has an interval for, by id."""
    claims = (study.claims or {}).items()
    return {name: one for name, one in claims if one["low"] is not None and one["verdict"] != "not testable"}


def results() -> str:
    """These systems on every corpus."""
    return markdown(systems_table(studies(), MEASURES, SYSTEMS)).rstrip()


def verdicts() -> str:
    """How many claims of the papers each study judges, and with what result, as reports/README.md counts them."""
    return "\n".join(f"- {line}" for line in _said())


def untried() -> str:
    """The systems of params.yaml that no report has results of."""
    tried = {name for study in read_studies(REPORTS) for name in study.document["systems"]}
    names = ", ".join(f"`{name}`" for name in read()["variants"] if name not in tried)
    return f"No report has results of {names}." if names else "Every system has results in some report."


def _said() -> Iterator[str]:
    for study in studies(*STUDIES, *MORE_SEEDS):
        found = tally(judged(study))
        agree, disagree, undecided = (len(found.of(*group)) for group in GROUPS)
        told = f"{agree} agree, {disagree} disagree, {undecided} are undecided"
        lasting = found.stay(*AGREES, *DISAGREES)
        yield f"[{study.name}](reports/{study.name}/{PAGE}): of {found.number} claims {told}; {lasting} stay decided"
