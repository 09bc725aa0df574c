"""Perplexity in both directions."""

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.number_formats import percent
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column


def perplexity(study: StudyResults, measured: Measured) -> ReportTable | None:
    """Of the systems that are trained in both directions, if there are any."""
    source, target = study.text.source, study.text.target
    columns = [
        Column(f"perplexity_{a}-{b}", f"{a} → {b}", "low", percent) for a, b in ((source, target), (target, source))
    ]
    both = [column.measure for column in columns if measured.frame[column.measure].notna().any()]
    table = shown(measured, columns, both[-1:])
    if table is None:
        return None
    return ReportTable(
        name="perplexity",
        title="Perplexity by direction",
        about="Of all of dev under forced decoding, by the checkpoint that was kept; each direction is a training of "
        "its own, the reverse one only of the systems that params.yaml lists under reverse, and of released ones that "
        "have it.",
        mirrors="the 2018 review, Table 1 (Cohn et al., 2016)",
        parts={"": table},
        notes=notes(study.document, [table], ("segmentation", "perplexity", "checkpoint")),
    )
