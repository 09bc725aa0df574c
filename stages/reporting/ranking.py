"""Which values are not ranked with the others of their column, although they stand in it."""

from stages.files.run_directory import STATISTICAL
from stages.scoring.aligner_scores import KEYS

LINKS = frozenset(KEYS)
"""Measures of word links, which a statistical system takes from an aligner."""

LONGER, ENSEMBLE, CANDIDATES, ALIGNER = "longer", "ensemble", "candidates", "aligner"
"""Why values of a system do not compete: it was trained for longer; it is several models together; in training its
softmax saw candidates only; its links are those of an aligner."""
WHOLLY = {LONGER: "systems that were trained for longer", ENSEMBLE: "ensembles"}
"""The reasons for which no value of a system competes, and it has no mark -> the systems that they are about."""


def apart(variant: str, measure: str, why: str = "") -> str:
    """Why a system's value does not compete with the others', "" if it does.

    Apart are all of a system that was trained for longer and of an ensemble, perplexity after training among
    candidates only, and links of a word aligner beside those of attention. why: as in `StudySpec.apart`.
    """
    if why in WHOLLY:
        return why
    if why == CANDIDATES and measure.rsplit(".", 1)[-1].startswith("perplexity"):
        return CANDIDATES
    return ALIGNER if variant in STATISTICAL and measure in LINKS else ""
