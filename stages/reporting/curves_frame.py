"""Learning curves as data: what `dvc plots` draws."""

from collections.abc import Sequence

import pandas as pd

from stages.reporting.results import SystemResults


def curves_frame(systems: Sequence[SystemResults]) -> pd.DataFrame:
    """All curves as one long table: variant, seed and the columns of `curve.csv`, systems and seeds in their order."""
    return pd.concat(
        [
            run.curve.assign(variant=system.variant, seed=run.seed)[["variant", "seed", *run.curve.columns]]
            for system in systems
            if system.trained
            for run in system.runs
        ],
        ignore_index=True,
    )
