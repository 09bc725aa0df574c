"""Statistical word alignment beside the systems: rows of the main table that have an error rate and nothing else."""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from stages.files.errors import InputError
from stages.files.records import read_record

TITLES = {
    "forward": "Statistical alignment, forward (eflomal)",
    "reverse": "Statistical alignment, reverse (eflomal)",
    "gdfa": "Statistical alignment, both (eflomal, grow-diag-final-and)",
}
MEASURES = ("aer", "align_precision", "align_recall")


class Aligners(NamedTuple):
    """metrics: method -> measure -> value, None where the corpus has no gold set; recipe: how the links came about."""

    metrics: dict[str, dict[str, float | None]]
    recipe: dict[str, Any]


def read_aligners(folder: Path) -> Aligners:
    """Read the scores of the wordalign stage; raises InputError naming the file."""
    path = folder / "scores.json"
    scores = read_record(path, ("aligners", "recipe"))
    for method in TITLES:
        if set(scores["aligners"].get(method) or ()) != set(MEASURES):
            raise InputError(f"{path} lacks the {', '.join(MEASURES)} of {method}; run the wordalign stage again")
    return Aligners({method: scores["aligners"][method] for method in TITLES}, scores["recipe"])


def aligner_frame(document: dict[str, Any], systems: pd.DataFrame) -> pd.DataFrame:
    """One row an aligner in the columns of `systems`, the frame of `results_frame`; no row without a gold set."""
    rows = {
        f"eflomal_{method}": {"title": TITLES[method], "seeds": 1, **values}
        for method, values in document["aligners"].items()
        if None not in values.values()
    }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis(systems.index.name)
    return table.reindex(columns=systems.columns).astype(systems.dtypes)
