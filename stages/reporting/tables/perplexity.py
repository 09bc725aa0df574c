"""Perplexity in both directions."""

from stages.reporting.study import Study
from stages.reporting.table import Column
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.written import percent


def perplexity(study: Study, measured: Measured) -> Entry | None:
    """Of the systems that are trained in both directions, if there are any."""
    source, target = study.text.source, study.text.target
    columns = [
        Column(f"perplexity_{a}-{b}", f"{a} → {b}", "low", percent) for a, b in ((source, target), (target, source))
    ]
    both = [column.measure for column in columns if measured.frame[column.measure].notna().any()]
    table = shown(measured, columns, both[-1:])
    if table is None:
        return None
    return Entry(
        name="perplexity",
        title="Perplexity by direction",
        about="Of dev, by the checkpoint that was kept; each direction is a training of its own, the opposite one only "
        "of the systems that params.yaml lists under opposite.",
        mirrors="the 2018 review, Table 1 (Cohn et al., 2016)",
        parts={"": table},
        notes=notes(study.document, [table], ("segmentation", "perplexity", "checkpoint")),
    )
