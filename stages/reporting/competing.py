"""Which values do not compete for the best of a column, although they stand in it."""

from stages.files.run_directory import STATISTICAL

LINKS = frozenset({"aer", "align_precision", "align_recall"})
"""Measures of word links, which a statistical system takes from an aligner."""


def apart(variant: str, measure: str) -> bool:
    """Whether a system's value does not compete with the others': links of a word aligner with those of attention."""
    return variant in STATISTICAL and measure in LINKS
