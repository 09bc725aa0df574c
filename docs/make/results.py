"""What the studies on real text have found, as the first page has it."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

from docs.make.imports import ROOT
from stages.reporting.claims import sizes
from stages.reporting.claims.claims import all_claims
from stages.reporting.outputs import PAGE
from stages.reporting.overview.means import means
from stages.reporting.overview.study import counted, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import markdown

REPORTS = ROOT / "reports"
STUDIES = ("hansards-en-fr", "multi30k-de-en", "zh-en")
MEASURES = ("bleu", "aer", "rot")
SYSTEMS = (
    "rnnencdec",
    "rnnsearch",
    "rnnsearch_star",
    "sa_nmt",
    "ta_nmt",
    "ba_nmt",
    "coverage_nn_gru",
    "interactive_attention",
    "covemb_sub",
    "recurrent_attention",
    "supervised_attention",
    "luong_global_general",
    "rnnsearch_star_continued",
    "bridging_direct",
    "cohn_agreement",
    "transformer",
    "smt",
)
"""What the papers compare most; one of each kind."""


def results() -> str:
    """These systems on every corpus, and how many of the papers' claims each study agrees with."""
    studies = [study for study in read_studies(REPORTS) if study.name in STUDIES]
    said = [f"[{study.name}](reports/{study.name}/{PAGE}) {_counts(study.verdicts)}" for study in studies]
    together = means(studies)
    if together:
        shared = f"of the {len(together)} claims that several corpora speak to, [their mean](reports/{PAGE}#claims)"
        said.append(f"{shared} {_counts(together)}")
    printed = sizes.said(sizes.of_verdicts(all_claims(), together))
    text = f"The papers' claims: {'; '.join(said)}. {printed}".rstrip()
    verdicts = fill(text, 120, break_long_words=False, break_on_hyphens=False)
    return f"{markdown(systems_table(studies, MEASURES, SYSTEMS))}\n{verdicts}"


def _counts(verdicts: Mapping[str, Mapping[str, Any]]) -> str:
    found = counted(verdicts)
    return f"agrees with {found['agrees']}, disagrees with {found['disagrees']}, leaves {found['undecided']} undecided"
