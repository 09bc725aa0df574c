"""Every measure as a column, declared once: its heading, which way is better, how it is written."""

from collections.abc import Callable

from stages.reporting.measure_names import NAMES
from stages.reporting.tables.table import Column, clock, count, millions, percent, rate, ratio
from stages.scoring.catalogue import MEASURES

AVERAGE = "tests.average."
"""Above the measures of all test sets together."""

HEADINGS = NAMES | {
    "bleu_no_unk": "No UNK",
    "bleu_unk_kept": "kept (All)",
    "no_unk_sentences": "sentences without UNK",
    "brevity_penalty": "BP",
    "repeated_ngrams": "repeated 4-grams",
    "aer_renorm": "AER, eos renormalised",
    "align_precision_t02": "precision at 0.2",
    "align_recall_t02": "recall at 0.2",
    "align_f1_t02": "F1 at 0.2",
    "coverage_left": "left in the end",
    "coverage_fertility": "correlation with fertility",
    "train_tokens_per_second": "train tokens/s",
    "wall_seconds": "wall time",
    **{f"rot_{tags}": f"ROT {tags}" for tags in ("NN", "NR", "DT", "CD", "rest")},
}
"""Of a column, where it is not the name with blanks."""
WRITTEN: dict[str, Callable[[float], str]] = {
    **dict.fromkeys(("repeated_phrases", "repeated_ngrams", "no_unk_sentences", "cut_off"), count),
    **dict.fromkeys(("epochs", "best_epoch"), count),
    **dict.fromkeys(("brevity_penalty", "length_ratio", "coverage_fertility"), ratio),
    "parameters": millions,
    "train_tokens_per_second": rate,
    "wall_seconds": clock,
}
"""How a measure is written that is no percentage."""
NEUTRAL = ("brevity_penalty", "cut_off")
"""Measures of which tables mark no best, though less or more of them is better by itself."""


def column(path: str, heading: str | None = None) -> Column:
    """Of a measure by its path below the mean of a system in metrics.json, such as `tests.average.bleu`."""
    name = path.rpartition(".")[2]
    better = MEASURES[name].better if name in MEASURES and name not in NEUTRAL else None
    named = heading or HEADINGS.get(name) or name.replace("_", " ")
    return Column(path, named, better, WRITTEN.get(name, percent), spread=name != "parameters")


def columns(*names: str, above: str = "") -> tuple[Column, ...]:
    """above: what stands before each name, such as `AVERAGE`."""
    return tuple(column(above + name) for name in names)
