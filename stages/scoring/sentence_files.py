"""The counts on disk: one CSV file a set, one line a sentence, columns `sentence` (from 1) and `<group>.<count>`."""

from pathlib import Path

import pandas as pd

from stages.scoring.catalogue import GROUPS, Rows


def write_counts(path: Path, rows: Rows, sentences: int) -> None:
    """A system may have no counts of a set. Numbers are written so that they read back as the same ones."""
    counted = {
        f"{group}.{field}": counts[:, k] for group, counts in rows.items() for k, field in enumerate(GROUPS[group])
    }
    pd.DataFrame({"sentence": range(1, sentences + 1), **counted}).to_csv(path, index=False, lineterminator="\n")
