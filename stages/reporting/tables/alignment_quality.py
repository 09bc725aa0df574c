"""Quality of alignment."""

from stages.reporting.aligners import TITLES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import AVERAGE, Measured, append, notes, shown, test_sets
from stages.reporting.tables.number_formats import percent
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column

COLUMNS = (
    Column("aer", "AER", "low", percent),
    Column("aer_renorm", "AER, eos renormalised", "low", percent),
    Column("saer", "SAER", "low", percent),
    Column("align_precision", "precision", "high", percent),
    Column("align_recall", "recall", "high", percent),
    Column("align_precision_t02", "precision at 0.2", "high", percent),
    Column("align_recall_t02", "recall at 0.2", "high", percent),
    Column("align_f1_t02", "F1 at 0.2", "high", percent),
)
BLEU = Column(f"{AVERAGE}bleu", "BLEU", "high", percent)
FLOOR = "Floor: the best links, one a target word"


def alignment(study: StudyResults, measured: Measured) -> ReportTable | None:
    """None for a corpus without gold set and for systems that do not attend."""
    table = shown(measured, [BLEU, *COLUMNS], [column.measure for column in COLUMNS])
    if table is None:
        return None
    rows = {
        TITLES[method]: {
            "AER": values["aer"],
            "precision": values["align_precision"],
            "recall": values["align_recall"],
        }
        for method, values in study.document["aligners"].items()
    }
    floor = measured.frame["aer_floor"].dropna()
    table = append(table, rows | ({FLOOR: {"AER": float(floor.iloc[0])}} if len(floor) else {}), [BLEU, *COLUMNS])
    return ReportTable(
        name="alignment",
        title="Quality of alignment",
        about="Alignment error rate (AER) of the strongest source word of each target word, the same with target words "
        "on the end of sentence moved to their strongest real word, the soft rate (SAER) of the weights themselves, "
        "and links of a weight above 0.2; systems that attend.",
        mirrors="Xue et al. (2019), Table 5; Kuang et al. (2018), Table 4; Mi et al. (2016), Table 3",
        parts={"": table},
        notes=(
            f"BLEU: {test_sets(study.document)}",
            f"words of a sentence: {_lengths(study, 'gold')} in the gold set, {_lengths(study, 'train')} in train",
            *notes(study.document, [table], ("alignment",)),
        ),
    )


def _lengths(study: StudyResults, name: str) -> str:
    """The means of both languages in a set."""
    lengths = study.stats["sets"][name]["mean_length"].items()
    return " and ".join(f"{length:.1f} ({language})" for language, length in lengths)
