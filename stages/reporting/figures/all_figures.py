"""Which figures a report has, and what is written below each."""

from collections.abc import Callable
from typing import NamedTuple

from matplotlib.figure import Figure

from stages.reporting.figures import (
    aer_bleu,
    attention_maps,
    bleu_by_cost,
    bleu_by_length,
    completion,
    coverage_histograms,
    effects,
    learning_curves,
)
from stages.reporting.figures.caption import Caption
from stages.reporting.study_results import StudyResults


class Drawing(NamedTuple):
    """draw: None where the study has nothing to show."""

    draw: Callable[[StudyResults], Figure | None]
    caption: Caption


OF_STUDY = {
    "learning_curves": Drawing(learning_curves.bleu_curves, learning_curves.BLEU_CAPTION),
    "learning_curves_perplexity": Drawing(learning_curves.perplexity_curves, learning_curves.PERPLEXITY_CAPTION),
    "bleu_by_length": Drawing(bleu_by_length.bleu_by_length, bleu_by_length.CAPTION),
    "aer_bleu": Drawing(aer_bleu.aer_bleu, aer_bleu.CAPTION),
    "effects": Drawing(effects.effects, effects.CAPTION),
    "cost": Drawing(bleu_by_cost.bleu_by_cost, bleu_by_cost.CAPTION),
    "coverage": Drawing(coverage_histograms.coverage_histograms, coverage_histograms.CAPTION),
}
"""By name, those that need no more than the study."""

COMPLETION = "completion"


def best_of_families_name(rule: str) -> str:
    """Name of the heat maps of the sentence chosen by `rule`."""
    return f"attention/{rule}"


def all_systems_name(rule: str) -> str:
    """The same, of all systems."""
    return f"attention/{rule}_all"


CAPTIONS = (
    {name: drawing.caption for name, drawing in OF_STUDY.items()}
    | {COMPLETION: completion.CAPTION}
    | {best_of_families_name(rule): attention_maps.best_caption(rule) for rule in attention_maps.CHOSEN}
    | {all_systems_name(rule): attention_maps.all_caption(rule) for rule in attention_maps.CHOSEN}
)
"""Of every figure by its name: its path below `vector`, without ending."""

FRONT = (*(best_of_families_name(rule) for rule in ("reordering", "longest", "named")), "effects", "learning_curves")
"""Those that the front page of the report shows, as far as there are any."""
