"""Which figures a report has, and what is written below each."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from matplotlib.figure import Figure

from stages.reporting.claims.claims import OWN
from stages.reporting.figures import (
    aer_bleu,
    attention_maps,
    bleu_by_cost,
    bleu_by_length,
    claims,
    completion,
    coverage_histograms,
    effects,
    learning_curves,
    read_outs,
)
from stages.reporting.figures.caption import Caption
from stages.reporting.papers.paper_tables import NAMES
from stages.reporting.study_results import StudyResults


class Drawing(NamedTuple):
    """draw: None where the study has nothing to show; caption: of what is drawn."""

    draw: Callable[[StudyResults], Figure | None]
    caption: Callable[[StudyResults], Caption]


CLAIMS = "claims"

OF_STUDY = {
    CLAIMS: Drawing(claims.forest, claims.caption),
    **{
        f"{CLAIMS}_{file}": Drawing(partial(claims.forest, file=file), partial(claims.caption, file=file))
        for file in (*NAMES, OWN)
    },
    "learning_curves": Drawing(learning_curves.bleu_curves, learning_curves.bleu_caption),
    "learning_curves_perplexity": Drawing(learning_curves.perplexity_curves, learning_curves.perplexity_caption),
    "bleu_by_length": Drawing(bleu_by_length.bleu_by_length, bleu_by_length.caption),
    "aer_bleu": Drawing(aer_bleu.aer_bleu, aer_bleu.caption),
    "read_outs": Drawing(read_outs.read_outs, read_outs.caption),
    "effects": Drawing(effects.effects, effects.caption),
    "cost": Drawing(bleu_by_cost.bleu_by_cost, bleu_by_cost.caption),
    "coverage": Drawing(coverage_histograms.coverage_histograms, coverage_histograms.caption),
}
"""By name, those that need no more than the study."""

COMPLETION = "completion"


def best_of_families_name(rule: str) -> str:
    """Name of the heat maps of the sentence chosen by `rule`."""
    return f"attention/{rule}"


def all_systems_name(rule: str) -> str:
    """The same, of all systems."""
    return f"attention/{rule}_all"


def captions(study: StudyResults) -> dict[str, Caption]:
    """Of every figure that the study may have, by its name: its path below `vector`, without ending."""
    gold = study.text.gold
    of_baseline = study.spec.compare.baseline in coverage_histograms.shares_of(study)
    return (
        {name: drawing.caption(study) for name, drawing in OF_STUDY.items()}
        | {COMPLETION: completion.caption(of_baseline, gold)}
        | {best_of_families_name(rule): attention_maps.best_caption(rule, gold) for rule in attention_maps.CHOSEN}
        | {all_systems_name(rule): attention_maps.all_caption(rule, gold) for rule in attention_maps.CHOSEN}
    )


FRONT = tuple(best_of_families_name(rule) for rule in ("reordering", "longest", "named"))
"""Of these the front page of the report shows the first that there is."""
