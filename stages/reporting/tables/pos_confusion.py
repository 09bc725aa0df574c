"""Parts of speech of target words against those of the source words they are aligned with."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from stages.measures.confusion import CLASSES, SOURCES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.table import MISSING, Cell, Column, ReportTable, Table, percent

LARGEST = 2
"""Other source classes that are printed of a target class, as many as the paper prints."""


def pos_confusion(study: StudyResults, measured: Measured) -> ReportTable | None:
    """Two tables a test set; None without tagged text or without attention."""
    systems = study.document["systems"]
    parts: dict[str, Table] = {}
    for test in study.text.tests:
        above = f"tests.{test}.pos_confusion"
        same = shown(measured, [Column(f"{above}.{p}.{p}", f"{p} from {p}", "high", percent) for p in CLASSES])
        if same is not None:
            parts[f"{test}, same class"] = same
            parts[f"{test}, largest other classes"] = _others(same, systems, test)
    if not parts:
        return None
    return ReportTable(
        name="pos_confusion",
        title="Parts of speech of aligned words",
        about="Of the target words of a class, the percentage that is aligned with source words of the same class, and "
        "the two largest other source classes; none: aligned with the end of sentence.",
        mirrors="Kuang et al. (2018), Table 3",
        parts=parts,
        notes=notes(study.document, parts.values(), ("tags",)),
        records=pd.DataFrame(_records(study)),
    )


def _others(same: Table, systems: Mapping[str, Any], test: str) -> Table:
    """The rows of `same` with, for each class, the names and shares of the others."""
    rows = []
    for name, (title, _) in zip(same.names, same.rows, strict=True):
        shares = systems[name]["mean"]["tests"][test]["pos_confusion"]
        rows.append((title, tuple(Cell(_largest(p, shares[p])) for p in CLASSES)))
    return Table(("System", *CLASSES), tuple(rows), same.names, frozenset(CLASSES))


def _largest(target: str, shares: Mapping[str, float | None]) -> str:
    known = {q: share for q, share in shares.items() if share and q != target}
    largest = sorted(known, key=lambda q: -known[q])[:LARGEST]
    return ", ".join(f"{q} {percent(known[q])}" for q in largest) or MISSING


def _records(study: StudyResults) -> Iterator[dict[str, Any]]:
    """The whole matrix."""
    for test in study.text.tests:
        for variant, system in study.document["systems"].items():
            mean, sd = (system[part]["tests"][test]["pos_confusion"] for part in ("mean", "sd"))
            for p in CLASSES:
                for q in SOURCES:
                    if mean[p][q] is not None:
                        place = {"part": test, "variant": variant, "target": p, "source": q}
                        yield place | {"percent": mean[p][q], "sd": sd[p][q]}
