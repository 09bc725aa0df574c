"""The reference implementations: every equation in NumPy, plain loops over i and j, one sentence at a time.

They are written from the papers alone. Nothing here knows the models it is compared with. Every function also accepts
complex128, so that `gradient` can differentiate it. Parameters are one flat dict whose keys are the paper's symbols;
`part(params, "gru_1")` is what `gru_1.W`, `gru_1.U`, … hold.
"""

import numpy as np

Params = dict[str, np.ndarray]


def part(params: Params, name: str) -> Params:
    """The parameters below `name.`, without that prefix."""
    return {key.removeprefix(f"{name}."): value for key, value in params.items() if key.startswith(f"{name}.")}
