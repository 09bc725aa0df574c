"""How well each system aligns, by how its links are read out of it."""

from typing import Literal

import pandas as pd

from stages.reporting.aligners import EFLOMAL, TITLES
from stages.reporting.metrics import Document
from stages.reporting.results import ReadOuts
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes
from stages.reporting.tables.table import Column, ReportTable, build, percent
from stages.scoring.read_outs import READ_OUTS

PARTS: dict[str, tuple[str, Literal["high", "low"]]] = {
    "AER": ("aer", "low"),
    "Precision": ("precision", "high"),
    "Recall": ("recall", "high"),
}


def read_outs(study: StudyResults, measured: Measured) -> ReportTable | None:
    """A part a measure; None where the study asks for no read-outs."""
    found: ReadOuts = study.document.get("read_outs", {})
    if not found:
        return None
    names = [name for name in READ_OUTS if any(name in of["mean"] for of in found.values())]
    parts = {}
    for part, (key, better) in PARTS.items():
        rows = {
            variant: {"title": study.spec.titles[variant]}
            | {name: of["mean"].get(name, {}).get(key) for name in names}
            | {f"{name}_sd": of["sd"].get(name, {}).get(key) for name in names}
            for variant, of in found.items()
        }
        frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant")
        frame = frame.astype({column: float for column in frame if column != "title"})
        parts[part] = build(frame, [Column(name, READ_OUTS[name], better, percent) for name in names], {})
    return ReportTable(
        name="read_outs",
        title="Alignment by read-out",
        about="Links of the same trained systems under forced decoding, read out of them in several ways: is an error "
        "the system's or the read-out's? docs/measures.md defines each.",
        mirrors="",
        parts=parts,
        notes=(*_heads(found), *_aligner(study.document), *notes(study.document, parts.values(), ("alignment",))),
    )


def _aligner(document: Document) -> list[str]:
    """What a statistical aligner reaches with the same gold links, in each direction and in both."""
    found = [
        f"{TITLES[method]}: {percent(values['aer'])}"
        for method in EFLOMAL
        if (values := document["aligners"][method])["aer"] is not None
    ]
    return [f"AER on the same gold links without a neural system: {'; '.join(found)}"] if found else []


def _heads(found: ReadOuts) -> list[str]:
    """Which heads dev has chosen."""
    chosen = {variant: {seed: of for seed, of in each["heads"].items() if of} for variant, each in found.items()}
    said = [
        f"{variant}: " + ", ".join(f"layer {of['layer']}, head {of['head']} (seed {seed})" for seed, of in each.items())
        for variant, each in chosen.items()
        if each
    ]
    return [f"best head by eflomal's links of dev, never by the gold set: {'; '.join(said)}"] if said else []
