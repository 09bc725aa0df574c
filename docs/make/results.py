"""What the studies on real text have found, as the first page has it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Any

from docs.make.imports import ROOT
from stages.reporting.outputs import PAGE
from stages.reporting.overview.study import Study, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import markdown

REPORTS = ROOT / "reports"
STUDIES = ("hansards-en-fr", "zh-en", "multi30k-de-en")
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


def studies() -> list[Study]:
    """Those on real text with several seeds."""
    found = {study.name: study for study in read_studies(REPORTS)}
    return [found[name] for name in STUDIES]


def judged(study: Study) -> dict[str, Mapping[str, Any]]:
    """The claims that a study has an interval for, by id."""
    return {name: one for name, one in (study.claims or {}).items() if one["low"] is not None}


def results() -> str:
    """These systems on every corpus."""
    return markdown(systems_table(studies(), MEASURES, SYSTEMS)).rstrip()


def verdicts() -> str:
    """How many claims of the papers each study judges, and how; the names of verdicts are those of metrics.json."""
    return fill(f"{'; '.join(_said())}.", 120, break_long_words=False, break_on_hyphens=False)


def _said() -> Iterator[str]:
    for study in studies():
        claims = judged(study)
        counts = Counter(one["verdict"] for one in claims.values())
        each = ", ".join(f"{verdict} {number}" for verdict, number in sorted(counts.items()))
        yield f"[{study.name}](reports/{study.name}/{PAGE}): {len(claims)} claims ({each})"
