"""The main table: every system with the quality of its translations and alignments, its size and its cost."""

import pandas as pd

from stages.reporting.table import Column, Marks, Table, build


def _percent(value: float) -> str:
    return f"{value:.2f}"


def _count(value: float) -> str:
    return f"{round(value, 1):,g}" if value < 1e5 else f"{value:,.0f}"


def _millions(value: float) -> str:
    return f"{value / 1e6:.2f} M"


def _rate(value: float) -> str:
    return f"{value:,.0f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


BLEU = (
    Column("bleu", "BLEU", "high", _percent),
    Column("bleu_cased", "BLEU cased", "high", _percent),
)
MEASURES = (
    Column("ter", "TER", "low", _percent),
    Column("chrf", "chrF", "high", _percent),
    Column("perplexity", "dev perplexity", "low", _percent),
    Column("aer", "AER", "low", _percent),
    Column("saer", "SAER", "low", _percent),
    Column("align_precision", "align precision", "high", _percent),
    Column("align_recall", "align recall", "high", _percent),
    Column("rot", "ROT", "low", _percent),
    Column("repeated_phrases", "repeated phrases", "low", _count),
)
COST = (
    Column("parameters", "parameters", None, _millions, spread=False),
    Column("train_tokens_per_second", "train tokens/s", None, _rate),
    Column("wall_seconds", "wall time", None, _clock),
)


def main_table(frame: pd.DataFrame, aligners: pd.DataFrame, marks: Marks) -> Table:
    """Main results from the frame of `summary.frame`, with a BLEU column for every further test set and the average.

    Below the systems stand the statistical `aligners` (frame of `aligner_frame`). They translate nothing and do not
    compete for the best of a column. Cost columns have no best, for cheaper is not better by itself.
    """
    others = [
        column.removeprefix("bleu.") for column in frame if column.startswith("bleu.") and not column.endswith("_sd")
    ]
    further = (Column(f"bleu.{name}", f"BLEU {name}", "high", _percent) for name in others)
    columns = (*BLEU, *further, *MEASURES, *COST)
    systems = build(frame, columns, marks)
    below = build(aligners, [column._replace(better=None) for column in columns], {})
    return Table(systems.headings, systems.rows + below.rows)
