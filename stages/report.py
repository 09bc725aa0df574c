"""Stage `report`: the scores of all systems as numbers, tables, figures, examples and a page to explore.

Beside the report it writes `README.md` of all reports, from what they all say.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.files.main import arguments, run
from stages.files.run_directory import GIVEN_METRICS, REPORTS
from stages.reporting import outputs
from stages.reporting.examples.write_examples import write_examples
from stages.reporting.figures.all_figures import write_figures
from stages.reporting.fonts import no_font
from stages.reporting.front_page import write_front_page
from stages.reporting.metrics_document import summary, write_metrics
from stages.reporting.overview.page import write_overview
from stages.reporting.page.write_page import write_page
from stages.reporting.papers.comparison import corpus_summary, paper_tables
from stages.reporting.papers.papers_page import write_papers
from stages.reporting.results import curves_frame
from stages.reporting.sentence_sets import SentenceSet, read_sets
from stages.reporting.study_results import ReportFolders, StudyResults, read_study_results
from stages.reporting.study_spec import read_spec
from stages.reporting.tables.all_tables import report_tables, write_tables
from stages.reporting.tables.bridged_words import bridged_words
from stages.scoring.inputs import read_tags
from stages.settings.study_run import study_run


def report(study: StudyResults, out: Path) -> None:
    """Write the report to the folder `out`: `outputs.OUTPUTS`, each in the place of the last one.

    Raises InputError if an input is missing or does not fit; `out` is then as before.
    """
    sets = read_sets(study)
    classes = {one.name: read_tags(study.text, study.folders.tags, one.name) for one in sets}
    found = report_tables(study)
    _say_what_has_no_font(sets)
    with outputs.new_outputs(out) as folder:
        curves = curves_frame(study.systems, study.spec.decoded)
        curves.to_csv(folder / outputs.CURVES, index=False, lineterminator="\n")
        write_metrics(study.document, folder / outputs.METRICS)
        _write_json(summary(study.document), folder / outputs.SUMMARY)
        _write_json(study.compared, folder / outputs.COMPARISONS)
        write_tables(study, found, folder)
        corpus, words = corpus_summary(study.document["recipe"]), bridged_words(study.systems)
        write_papers(paper_tables(study.document), corpus, study.spec.study, folder, words)
        write_figures(study, folder, classes.get("gold"))
        write_examples(study, sets, classes, folder)
        write_front_page(study, folder)  # after the figures, for it shows them, as does the next
        write_page(study, sets, found, folder)


def _say_what_has_no_font(sets: Sequence[SentenceSet]) -> None:
    """Once, before figures show boxes for it."""
    texts = (line for one in sets for lines in (one.source, *one.references) for line in lines)
    if lacking := no_font(texts):
        print(f"figures: {lacking}", file=sys.stderr)


def _write_json(content: Any, path: Path) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")


def main() -> None:
    study = arguments(__doc__, "study").study
    of = study_run(study)
    places, out = of.folders.of_corpus, REPORTS / study
    given = GIVEN_METRICS / study
    folders = ReportFolders(of.folders.path, places.text, places.wordalign, places.thotalign, places.tags, given)
    report(read_study_results(folders, read_spec(study, of.corpus)), out)
    write_overview(out.parent)


if __name__ == "__main__":
    run(main)
