"""Which figures a report has, what is written below each, and how they are drawn and written.

A figure is `vector/<name>.svg` and `.png` for print, and `figures/<name>.png`, small, for git.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.figure import Figure

from stages.reporting.chosen_sentences import read_chosen
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
from stages.reporting.figures.families import families_of
from stages.reporting.figures.layout import Caption
from stages.reporting.outputs import FIGURES, VECTOR
from stages.reporting.papers.paper_tables import NAMES
from stages.reporting.study_results import StudyResults
from stages.reporting.style import rc, save, save_png, save_small
from stages.tagging.classes import Classes


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
    **{
        f"learning_curves{name}": Drawing(
            partial(learning_curves.of_study, quantity=of), partial(learning_curves.caption, quantity=of)
        )
        for name, of in {"": learning_curves.BLEU, "_perplexity": learning_curves.PERPLEXITY}.items()
    },
    "bleu_by_length": Drawing(bleu_by_length.bleu_by_length, bleu_by_length.caption),
    "aer_bleu": Drawing(aer_bleu.aer_bleu, aer_bleu.caption),
    "read_outs": Drawing(read_outs.read_outs, read_outs.caption),
    "effects": Drawing(effects.effects, effects.caption),
    "cost": Drawing(bleu_by_cost.bleu_by_cost, bleu_by_cost.caption),
    "coverage": Drawing(coverage_histograms.coverage_histograms, coverage_histograms.caption),
}
"""By name, those that need no more than the study."""

COMPLETION = "completion"


def map_name(rule: str, every: bool = False) -> str:
    """Of the heat maps of the sentence chosen by `rule`; every: of all systems."""
    return f"attention/{rule}{'_all' if every else ''}"


def captions(study: StudyResults) -> dict[str, Caption]:
    """Of every figure that the study may have, by its name: its path below `vector`, without ending."""
    gold = study.text.gold
    of_baseline = study.spec.compare.baseline in coverage_histograms.shares_of(study)
    return (
        {name: drawing.caption(study) for name, drawing in OF_STUDY.items()}
        | {COMPLETION: completion.caption(of_baseline, gold)}
        | {
            map_name(rule, every): attention_maps.caption(rule, of_baseline, gold, every)
            for every in (False, True)
            for rule in attention_maps.CHOSEN
        }
    )


FRONT = tuple(map_name(rule) for rule in ("reordering", "longest", "named"))
"""Of these the front page of the report shows the first that there is."""


def write_figures(study: StudyResults, folder: Path, classes: Classes | None) -> None:
    """Write what the study has the data for to the `folder` of the report; classes: as `choices` takes them.

    Beside `OF_STUDY`: heat maps of the best of each family and of all systems (PNG only, for its size) on
    each chosen sentence, and the completion of the first of these sentences. Raises InputError if a translation is
    missing or wrong.
    """
    spec = study.spec
    baseline, families = spec.compare.baseline, families_of(spec.models)
    chosen = read_chosen(study.folders.run_directory, study.text, spec.titles, spec.seeds[0], spec.settings, classes)
    with matplotlib.rc_context(rc()):
        for name, drawing in OF_STUDY.items():
            _save(drawing.draw(study), name, folder)
        _save(completion.completion(next(iter(chosen.values())), families, baseline), COMPLETION, folder)
        for rule, shown in chosen.items():
            best = attention_maps.best_of_families(shown, study.frame, families, baseline)
            _save(best, map_name(rule), folder)
            everything = attention_maps.all_systems(shown)
            if everything is not None:
                name = map_name(rule, every=True)
                save_png(everything, folder / VECTOR / name, attention_maps.POSTER_DPI)
                save_small(everything, folder / FIGURES / name)


def _save(figure: Figure | None, name: str, folder: Path) -> None:
    if figure is None:
        return
    save(figure, folder / VECTOR / name)
    save_small(figure, folder / FIGURES / name)
