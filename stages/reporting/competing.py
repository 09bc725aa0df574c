"""Which values do not compete for the best of a column, although they stand in it."""

from stages.files.run_directory import STATISTICAL

LINKS = frozenset({"aer", "align_precision", "align_recall"})
"""Measures of word links, which a statistical system takes from an aligner."""

LONGER, CANDIDATES = "longer", "candidates"
"""Why values of a system do not compete: it was trained for longer; its softmax sees candidates only."""


def apart(variant: str, measure: str, why: str = "") -> bool:
    """Whether a system's value does not compete with the others': any of a system that was trained for longer, the
    perplexity over candidates, and links of a word aligner with those of attention. why: as in `Asked.apart`."""
    if why == LONGER:
        return True
    if why == CANDIDATES and measure.rsplit(".", 1)[-1].startswith("perplexity"):
        return True
    return variant in STATISTICAL and measure in LINKS
