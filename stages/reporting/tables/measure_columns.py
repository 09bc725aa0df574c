"""What the tables of measures show beyond plain columns: a part a test set, rows below, gains and costs."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev

import pandas as pd

from stages.measures.length_buckets import BUCKETS
from stages.reporting.aligners import TITLES
from stages.reporting.results import SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import AVERAGE, Measured, append, test_sets
from stages.reporting.tables.table import (
    MISSING,
    Cell,
    Column,
    Table,
    count,
    four,
    percent,
    ratio,
    signed,
    without_arrow,
)

BASE = "rnnsearch_star"
OF_ABLATION = ("rnnsearch", BASE, "sa_nmt", "ta_nmt", "ba_nmt")
BLEU = Column(f"{AVERAGE}bleu", "BLEU", "high", percent)
ALIGNMENT = (
    Column("aer", "AER", "low", percent),
    Column("aer_renorm", "AER, eos renormalised", "low", percent),
    Column("saer", "SAER", "low", percent),
    Column("align_precision", "precision", "high", percent),
    Column("align_recall", "recall", "high", percent),
    Column("align_precision_t02", "precision at 0.2", "high", percent),
    Column("align_recall_t02", "recall at 0.2", "high", percent),
    Column("align_f1_t02", "F1 at 0.2", "high", percent),
)
UNKNOWN = (
    Column(f"{AVERAGE}bleu", "replaced", "high", percent),
    Column(f"{AVERAGE}bleu_unk_kept", "kept (All)", "high", percent),
    Column(f"{AVERAGE}bleu_no_unk", "No UNK", "high", percent),
    Column(f"{AVERAGE}no_unk_sentences", "sentences without UNK", None, count),
)
FLOOR = "Floor: the best links, one a target word"

Parts = Mapping[str, Sequence[Column]]


def quality(study: StudyResults) -> Parts:
    """A part a test set, and one of their average."""
    sets = {name: f"tests.{name}." for name in study.text.tests}
    sets |= {"average": AVERAGE} if len(sets) > 1 else {}
    return {
        name: (
            Column(f"{above}bleu", "BLEU", "high", percent),
            Column(f"{above}bleu_cased", "BLEU cased", "high", percent),
            Column(f"{above}bleu_v11b", "BLEU v11b", "high", percent),
            Column(f"{above}bleu1", "1-gram BLEU", "high", percent),
            Column(f"{above}brevity_penalty", "BP", None, ratio),
            Column(f"{above}chrf", "chrF", "high", percent),
            Column(f"{above}ter", "TER", "low", percent),
            Column(f"{above}ter_minus_bleu_half", "(TER−BLEU)/2", "low", percent),
            *(Column(f"{above}{one.name}", one.name, one.better, four) for one in study.given),
        )
        for name, above in sets.items()
    }


def of_each_test(study: StudyResults) -> Parts:
    columns = [Column(f"tests.{name}.bleu", f"BLEU {name}", "high", percent) for name in study.text.tests]
    return {"": columns + ([BLEU._replace(heading="BLEU average")] if len(columns) > 1 else [])}


def with_gains(study: StudyResults, of: Measured, part: str, table: Table) -> Table | None:
    """A column with the difference to the baseline behind the others; None for fewer than two rows."""
    bleu = of.frame[f"{AVERAGE}bleu"]

    def gain(name: str) -> Cell:
        if BASE not in bleu or name == BASE or pd.isna(difference := bleu[name] - bleu[BASE]):
            return Cell(MISSING)
        return Cell(signed(difference), number=float(difference))

    rows = tuple((title, (*cells, gain(name))) for name, (title, cells) in zip(table.names, table.rows, strict=True))
    return table._replace(headings=(*table.headings, "Δ"), rows=rows) if len(rows) > 1 else None


def by_length(study: StudyResults) -> Parts:
    return {
        test: [Column(f"tests.{test}.bleu_by_length.{name}.bleu", name, "high", percent) for name in BUCKETS]
        for test in study.text.tests
    }


def with_counts(study: StudyResults, of: Measured, test: str, table: Table) -> Table:
    """How many sentences each bucket has as the first row: as many for every system."""
    above, first = f"tests.{test}.bleu_by_length", of.frame.iloc[0]
    numbers = [first[f"{above}.{without_arrow(heading)}.sentences"] for heading in table.headings[1:]]
    cells = tuple(Cell(count(number), number=float(number)) if number else Cell(MISSING) for number in numbers)
    return table._replace(rows=(("Sentences", cells), *table.rows), names=("", *table.names))


def if_unknown(study: StudyResults, of: Measured, part: str, table: Table) -> Table | None:
    """None where nothing is unknown, as with pieces: all three columns are the same."""
    frame = of.frame[[column.measure for column in UNKNOWN[:3]]]
    return None if (frame.nunique(axis=1, dropna=False) == 1).all() else table


def with_aligners(study: StudyResults, of: Measured, part: str, table: Table) -> Table:
    names = {"AER": "aer", "precision": "align_precision", "recall": "align_recall"}
    rows = {
        TITLES[method]: {heading: values[name] for heading, name in names.items()}
        for method, values in study.document["aligners"].items()
    }
    floor = of.frame["aer_floor"].dropna()
    rows |= {FLOOR: {"AER": float(floor.iloc[0])}} if len(floor) else {}
    return append(table, rows, [BLEU, *ALIGNMENT])


def lengths(study: StudyResults) -> tuple[str, str]:
    def means(name: str) -> str:
        lengths = study.stats["sets"][name]["mean_length"].items()
        return " and ".join(f"{length:.1f} ({language})" for language, length in lengths)

    words = f"words of a sentence: {means('gold')} in the gold set, {means('train')} in train"
    return f"BLEU: {test_sets(study.document)}", words


def of_totals(study: StudyResults) -> tuple[str]:
    return (f"{test_sets(study.document)}; of counts, of their totals",)


def both_directions(study: StudyResults) -> Parts:
    """Of the systems that are trained in both directions, if there are any."""
    source, target = study.text.source, study.text.target
    pairs = ((source, target), (target, source))
    return {"": [Column(f"perplexity_{a}-{b}", f"{a} → {b}", "low", percent) for a, b in pairs]}


def with_both(study: StudyResults, measured: Measured) -> Measured:
    """The systems with both perplexities, or with the one that there is."""
    columns = [column.measure for column in both_directions(study)[""]]
    needed = [name for name in columns if measured.frame[name].notna().any()][-1:] or columns
    return measured._replace(frame=measured.frame[measured.frame[needed].notna().any(axis=1)])


def with_costs(study: StudyResults, measured: Measured) -> Measured:
    """With `added` parameters, and mean and deviation over the seeds of `epochs` and `best_epoch`."""
    systems, baseline = study.document["systems"], study.spec.compare.baseline
    base = systems[baseline]["mean"]["parameters"]
    rows = {}
    for system in study.systems:
        size = systems[system.variant]["mean"]["parameters"]
        added = None if None in (size, base) or system.variant == baseline else size - base
        rows[system.variant] = {"added": added, "added_sd": None} | _epochs(system)
    found = pd.DataFrame.from_dict(rows, orient="index", dtype=float)
    return measured._replace(frame=measured.frame.join(found))


def _epochs(system: SystemResults) -> dict[str, float | None]:
    if not system.trained:
        return {}
    of = {"epochs": [len(run.curve) for run in system.runs], "best_epoch": [run.best_epoch for run in system.runs]}
    several = len(system.runs) > 1
    means: dict[str, float | None] = {name: fmean(values) for name, values in of.items()}
    return means | {f"{name}_sd": stdev(values) if several else None for name, values in of.items()}


def one(*columns: Column) -> Callable[[StudyResults], Parts]:
    return lambda study: {"": columns}
