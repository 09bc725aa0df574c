"""Which figures a report has, and what is written below each."""

from collections.abc import Callable
from typing import NamedTuple

from matplotlib.figure import Figure

from stages.reporting.figures import (
    aer_bleu,
    attention,
    bleu_by_length,
    completion,
    cost,
    coverage,
    effects,
    learning_curves,
)
from stages.reporting.figures.caption import Caption
from stages.reporting.study import Study


class Drawing(NamedTuple):
    """draw: None where the study has nothing to show."""

    draw: Callable[[Study], Figure | None]
    caption: Caption


OF_STUDY = {
    "learning_curves": Drawing(learning_curves.bleu_curves, learning_curves.BLEU_CAPTION),
    "learning_curves_perplexity": Drawing(learning_curves.perplexity_curves, learning_curves.PERPLEXITY_CAPTION),
    "bleu_by_length": Drawing(bleu_by_length.bleu_by_length, bleu_by_length.CAPTION),
    "aer_bleu": Drawing(aer_bleu.aer_bleu, aer_bleu.CAPTION),
    "effects": Drawing(effects.effects, effects.CAPTION),
    "cost": Drawing(cost.cost, cost.CAPTION),
    "coverage": Drawing(coverage.coverage, coverage.CAPTION),
}
"""By name, those that need no more than the study."""

COMPLETION = "completion"


def best_of_families(rule: str) -> str:
    """Name of the heat maps of the sentence chosen by `rule`."""
    return f"attention/{rule}"


def all_systems(rule: str) -> str:
    """The same, of all systems."""
    return f"attention/{rule}_all"


CAPTIONS = (
    {name: drawing.caption for name, drawing in OF_STUDY.items()}
    | {COMPLETION: completion.CAPTION}
    | {best_of_families(rule): attention.best_caption(rule) for rule in attention.CHOSEN}
    | {all_systems(rule): attention.all_caption(rule) for rule in attention.CHOSEN}
)
"""Of every figure by its name: its path below `vector`, without ending."""

FRONT = (*(best_of_families(rule) for rule in ("reordering", "longest", "named")), "effects", "learning_curves")
"""Those that the front page of the report shows, as far as there are any."""
