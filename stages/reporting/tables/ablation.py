"""What each history of Xue et al. adds to the baseline."""

import pandas as pd

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import AVERAGE, Measured, notes, shown
from stages.reporting.tables.number_formats import percent, signed
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import MISSING, Cell, Column, Table

BASE = "rnnsearch_star"
ROWS = ("rnnsearch", BASE, "sa_nmt", "ta_nmt", "ba_nmt")
RECIPE = ("bleu", "checkpoint", "decoding")


def ablation(study: StudyResults, measured: Measured) -> ReportTable | None:
    """The rows of the paper's table that the study has; None if they are fewer than two."""
    frame = measured.frame[measured.frame.index.isin(ROWS)]
    tests = study.text.tests
    columns = [Column(f"tests.{name}.bleu", f"BLEU {name}", "high", percent) for name in tests]
    if len(tests) > 1:
        columns.append(Column(f"{AVERAGE}bleu", "BLEU average", "high", percent))
    table = shown(measured._replace(frame=frame), columns)
    if table is None or len(table.rows) < 2:
        return None
    table = _with_gains(table, frame[f"{AVERAGE}bleu"])
    return ReportTable(
        name="ablation",
        title="Ablation of the bilingual history",
        about="Source history (SA), target history (TA) and both (BA) on top of the same baseline; Δ: average BLEU "
        "over that of RNNsearch*.",
        mirrors="Xue et al. (2019), Tables 3 and 4",
        parts={"": table},
        notes=notes(study.document, [table], RECIPE),
    )


def _with_gains(table: Table, bleu: pd.Series) -> Table:
    """A column with the difference to the baseline behind the others."""

    def gain(name: str) -> Cell:
        if BASE not in bleu or name == BASE or pd.isna(difference := bleu[name] - bleu[BASE]):
            return Cell(MISSING)
        return Cell(signed(difference), number=float(difference))

    rows = zip(table.names, table.rows, strict=True)
    return table._replace(
        headings=(*table.headings, "Δ"), rows=tuple((title, (*cells, gain(name))) for name, (title, cells) in rows)
    )
