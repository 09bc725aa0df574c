"""Statistical word alignment beside the systems: rows of the main table that have an error rate and nothing else."""

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.scoring.aligner_scores import KEYS

TITLES = {
    "forward": "Statistical alignment, forward (eflomal)",
    "reverse": "Statistical alignment, reverse (eflomal)",
    "gdfa": "Statistical alignment, both (eflomal, grow-diag-final-and)",
    "ibm1_forward": "Statistical alignment, forward (Thot, IBM model 1)",
    "ibm1_reverse": "Statistical alignment, reverse (Thot, IBM model 1)",
    "ibm1_gdfa": "Statistical alignment, both (Thot, IBM model 1, grow-diag-final-and)",
    "ibm1_intersection": "Statistical alignment, both (Thot, IBM model 1, intersection)",
    "hmm_forward": "Statistical alignment, forward (Thot, HMM)",
    "hmm_reverse": "Statistical alignment, reverse (Thot, HMM)",
    "hmm_gdfa": "Statistical alignment, both (Thot, HMM, grow-diag-final-and)",
    "hmm_intersection": "Statistical alignment, both (Thot, HMM, intersection)",
}
"""Those of the wordalign stage, then those of the thotalign stage, which a machine without Thot lacks."""
EFLOMAL = ("forward", "reverse", "gdfa")


class Aligners(NamedTuple):
    """metrics: method -> measure -> value, None where the corpus has no gold set; recipe: how the links came about."""

    metrics: dict[str, dict[str, float | None]]
    recipe: dict[str, Any]


def read_aligners(wordalign: Path, thotalign: Path) -> Aligners:
    """Read the scores of both stages; raises InputError naming the file."""
    eflomal = _read(wordalign / "scores.json", "wordalign")
    if missing := [method for method in EFLOMAL if method not in eflomal.metrics]:
        raise InputError(f"{wordalign / 'scores.json'} lacks {', '.join(missing)}; run the wordalign stage again")
    thot = _read(thotalign / "scores.json", "thotalign")
    found = eflomal.metrics | thot.metrics
    recipe = eflomal.recipe | {f"Thot: {key}": value for key, value in thot.recipe.items()}
    return Aligners({method: found[method] for method in TITLES if method in found}, recipe)


def _read(path: Path, stage: str) -> Aligners:
    scores = read_record(path, ("aligners", "recipe"))
    for method, values in scores["aligners"].items():
        if method not in TITLES or set(values or ()) != set(KEYS):
            raise InputError(f"{path} lacks the {', '.join(KEYS)} of {method}; run the {stage} stage again")
    return Aligners(scores["aligners"], scores["recipe"])


def aligner_frame(document: dict[str, Any], systems: pd.DataFrame) -> pd.DataFrame:
    """One row an aligner in the columns of `systems`, the frame of `results_frame`; no row without a gold set."""
    rows = {
        (f"eflomal_{method}" if method in EFLOMAL else f"thot_{method}"): {
            "title": TITLES[method],
            "seeds": 1,
            **values,
        }
        for method, values in document["aligners"].items()
        if None not in values.values()
    }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis(systems.index.name)
    return table.reindex(columns=systems.columns).astype(systems.dtypes)
