"""Quality of translation on each test set."""

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.number_formats import percent, ratio
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column

RECIPE = (
    *("bleu", "bleu_cased", "bleu_v11b", "bleu1", "chrf", "ter"),
    *("bleu_input", "unknown_words", "checkpoint", "decoding"),
)


def quality(study: StudyResults, measured: Measured) -> ReportTable | None:
    tests = study.text.tests
    sets = {name: f"tests.{name}." for name in tests} | ({"average": "tests.average."} if len(tests) > 1 else {})
    tables = {name: shown(measured, _columns(above)) for name, above in sets.items()}
    parts = {name: table for name, table in tables.items() if table is not None}
    if not parts:
        return None
    return ReportTable(
        name="quality",
        title="Quality of translation",
        about="Measures against the references. BP: brevity penalty; v11b: BLEU as mteval-v11b has it; (TER−BLEU)/2 "
        "falls with better translations.",
        mirrors="Xue et al. (2019), Table 2; Kuang et al. (2018), Table 1; Mi et al. (2016), Table 1",
        parts=parts,
        notes=notes(study.document, parts.values(), RECIPE),
    )


def _columns(above: str) -> list[Column]:
    return [
        Column(f"{above}bleu", "BLEU", "high", percent),
        Column(f"{above}bleu_cased", "BLEU cased", "high", percent),
        Column(f"{above}bleu_v11b", "BLEU v11b", "high", percent),
        Column(f"{above}bleu1", "1-gram BLEU", "high", percent),
        Column(f"{above}brevity_penalty", "BP", None, ratio),
        Column(f"{above}chrf", "chrF", "high", percent),
        Column(f"{above}ter", "TER", "low", percent),
        Column(f"{above}ter_minus_bleu_half", "(TER−BLEU)/2", "low", percent),
    ]
