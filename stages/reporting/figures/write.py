"""Draws every figure of a report: `figures/<name>.png` and `.svg`."""

from collections.abc import Callable
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from stages.reporting.attention import read_chosen
from stages.reporting.figures.aer_bleu import aer_bleu
from stages.reporting.figures.attention import POSTER_DPI, all_systems, best_of_families
from stages.reporting.figures.bleu_by_length import bleu_by_length
from stages.reporting.figures.completion import completion
from stages.reporting.figures.cost import cost
from stages.reporting.figures.coverage import coverage
from stages.reporting.figures.effects import effects
from stages.reporting.figures.learning_curves import bleu_curves, perplexity_curves
from stages.reporting.study import Study
from stages.reporting.style import rc, save, save_png

OF_STUDY: dict[str, Callable[[Study], Figure | None]] = {
    "learning_curves": bleu_curves,
    "learning_curves_perplexity": perplexity_curves,
    "bleu_by_length": bleu_by_length,
    "aer_bleu": aer_bleu,
    "effects": effects,
    "cost": cost,
    "coverage": coverage,
}
"""Name -> what draws it; None where the study has nothing to show."""


def write_figures(study: Study, folder: Path) -> None:
    """Write what the study has the data for to `folder`; raises InputError if a translation is missing or wrong.

    Beside `OF_STUDY`: `attention/<rule>`, heat maps of the best of each family, `attention/<rule>_all`, of all systems
    (PNG only, for its size), and `completion` of the first of these sentences.
    """
    asked = study.asked
    baseline = asked.compare.baseline
    chosen = read_chosen(study.folders.axis, study.text, asked.titles, asked.seeds[0], asked.settings)
    with matplotlib.rc_context(rc()):
        for name, draw in OF_STUDY.items():
            _save(draw(study), folder / name)
        _save(completion(next(iter(chosen.values())), baseline), folder / "completion")
        for rule, shown in chosen.items():
            _save(best_of_families(shown, study.frame, baseline), folder / "attention" / rule)
            everything = all_systems(shown)
            if everything is not None:
                save_png(everything, folder / "attention" / f"{rule}_all", POSTER_DPI)


def _save(figure: Figure | None, stem: Path) -> None:
    if figure is not None:
        save(figure, stem)
