"""Draws every figure of a report: `vector/<name>.svg` and `.png` for print, `figures/<name>.png`, small, for git."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from stages.reporting.chosen_sentences import read_chosen
from stages.reporting.figures import all_figures
from stages.reporting.figures.attention_maps import POSTER_DPI, all_systems, best_of_families
from stages.reporting.figures.completion import completion
from stages.reporting.figures.families import families_of
from stages.reporting.outputs import FIGURES, VECTOR
from stages.reporting.study_results import StudyResults
from stages.reporting.style import rc, save, save_png, save_small


def write_figures(study: StudyResults, folder: Path) -> None:
    """Write what the study has the data for to the `folder` of the report.

    Beside `all_figures.OF_STUDY`: heat maps of the best of each family and of all systems (PNG only, for its size) on
    each chosen sentence, and the completion of the first of these sentences. Raises InputError if a translation is
    missing or wrong.
    """
    spec = study.spec
    baseline, families = spec.compare.baseline, families_of(spec.models)
    chosen = read_chosen(study.folders.run_directory, study.text, spec.titles, spec.seeds[0], spec.settings)
    with matplotlib.rc_context(rc()):
        for name, drawing in all_figures.OF_STUDY.items():
            _save(drawing.draw(study), name, folder)
        _save(completion(next(iter(chosen.values())), families, baseline), all_figures.COMPLETION, folder)
        for rule, shown in chosen.items():
            best = best_of_families(shown, study.frame, families, baseline)
            _save(best, all_figures.best_of_families_name(rule), folder)
            everything = all_systems(shown)
            if everything is not None:
                name = all_figures.all_systems_name(rule)
                save_png(everything, folder / VECTOR / name, POSTER_DPI)
                save_small(everything, folder / FIGURES / name)


def _save(figure: Figure | None, name: str, folder: Path) -> None:
    if figure is None:
        return
    save(figure, folder / VECTOR / name)
    save_small(figure, folder / FIGURES / name)
