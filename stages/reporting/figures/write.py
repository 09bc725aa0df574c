"""Draws every figure of a report: `figures/<name>.png` and `.svg`."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from stages.reporting.attention import read_chosen
from stages.reporting.figures import contents
from stages.reporting.figures.attention import POSTER_DPI, all_systems, best_of_families
from stages.reporting.figures.completion import completion
from stages.reporting.figures.families import families_of
from stages.reporting.study import Study
from stages.reporting.style import rc, save, save_png


def write_figures(study: Study, folder: Path) -> None:
    """Write what the study has the data for to `folder`; raises InputError if a translation is missing or wrong.

    Beside `contents.OF_STUDY`: heat maps of the best of each family and of all systems (PNG only, for its size) on each
    chosen sentence, and the completion of the first of these sentences.
    """
    asked = study.asked
    baseline, families = asked.compare.baseline, families_of(asked.models)
    chosen = read_chosen(study.folders.axis, study.text, asked.titles, asked.seeds[0], asked.settings)
    with matplotlib.rc_context(rc()):
        for name, drawing in contents.OF_STUDY.items():
            _save(drawing.draw(study), folder / name)
        _save(completion(next(iter(chosen.values())), families, baseline), folder / contents.COMPLETION)
        for rule, shown in chosen.items():
            best = best_of_families(shown, study.frame, families, baseline)
            _save(best, folder / contents.best_of_families(rule))
            everything = all_systems(shown)
            if everything is not None:
                save_png(everything, folder / contents.all_systems(rule), POSTER_DPI)


def _save(figure: Figure | None, stem: Path) -> None:
    if figure is not None:
        save(figure, stem)
