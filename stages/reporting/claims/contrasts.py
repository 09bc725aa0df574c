"""Which claims are about the same contrast of systems, and which contrasts are counted apart."""

from collections.abc import Mapping

from stages.files.run_directory import STATISTICAL

SMALLER = "transformer"
"""Of the systems on real text it has fewer than half the parameters of what it is compared with."""
APART = (*STATISTICAL, SMALLER)
"""One is tuned once and has no seeds, the other is smaller: their verdicts hang on that."""

Contrast = tuple[tuple[str, int], ...]


def contrast(weights: Mapping[str, int]) -> Contrast:
    """weights: system -> by what its value counts. A difference and its opposite are one contrast."""
    found = sorted(weights.items())
    return tuple((name, weight * (1 if found[0][1] > 0 else -1)) for name, weight in found)


def counted_apart(weights: Mapping[str, int]) -> bool:
    return bool(set(weights) & set(APART))
