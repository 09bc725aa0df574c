"""Stage `report`: the scores of all systems as numbers, tables, figures, examples and a page to explore."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.records import read_record
from stages.reporting.bridges import bridged_words
from stages.reporting.curves import curves_frame
from stages.reporting.examples.page import write_examples
from stages.reporting.figures.write import write_figures
from stages.reporting.page.sentences import read_sets
from stages.reporting.page.write import write_page
from stages.reporting.papers.beside import corpus_facts, paper_tables
from stages.reporting.papers.marks import marks_of
from stages.reporting.papers.write import write as write_papers
from stages.reporting.smaller import Smaller
from stages.reporting.study import Asked, Folders, Study, read_study
from stages.reporting.summary import headlines
from stages.reporting.tables.contents import entries
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.write import write_tables
from stages.scoring.inputs import read_tags
from stages.settings import params
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.systems import sections
from stages.settings.training import ModelSizes, Training
from stages.smaller import smaller_report

METRICS, HEADLINES, COMPARISONS = "metrics.json", "summary.json", "comparisons.json"


def report(study: Study, out: Path) -> None:
    """Write the report to the folder `out`, replaced as a whole.

    Raises InputError if an input is missing or does not fit; `out` is then as before.
    """
    test = study.text.tests[0]
    sets, classes = read_sets(study), read_tags(study.text, study.folders.tags, test)
    found = entries(study)
    with new_folder(out) as folder:
        _write_numbers(study, folder)
        _write_tables(study, found, folder / "tables")
        write_figures(study, folder / "figures")
        write_examples(study, sets, classes, folder)
        write_page(study, sets, found, folder)  # last, for it shows the figures


def _write_numbers(study: Study, folder: Path) -> None:
    curves_frame(study.systems).to_csv(folder / "learning_curves.csv", index=False, lineterminator="\n")
    contents = {METRICS: study.document, HEADLINES: headlines(study.document), COMPARISONS: study.compared}
    for name, content in contents.items():
        written = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        (folder / name).write_text(written + "\n", encoding="utf-8")


def _write_tables(study: Study, found: Sequence[Entry], folder: Path) -> None:
    folder.mkdir()
    write_tables(study, found, folder)
    beside = paper_tables(study.document, marks_of(study.compared))
    facts = corpus_facts(study.document["recipe"])
    write_papers(beside, facts, folder / "papers", bridged_words(study.systems))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="name below `corpora` in params.yaml")
    parser.add_argument("--axis", required=True, type=Path, help="work/<corpus>/<direction>-<segmentation>")
    parser.add_argument("--text", required=True, type=Path, help="folder of the corpus stage")
    parser.add_argument("--wordalign", required=True, type=Path, help="folder of the wordalign stage")
    parser.add_argument("--tags", required=True, type=Path, help="folder of the tag stage")
    parser.add_argument("--smaller", required=True, type=Path, help="file of the smaller stage")
    parser.add_argument("--out", required=True, type=Path, help="folder of the report; replaced as a whole")
    args = parser.parse_args(arguments)
    found = sections()
    asked = Asked(
        titles={name: row.title for name, row in (found.variants | found.continued).items()},
        seeds=params.section("seeds", Annotated[list[int], Field(min_length=1)]),
        opposite=found.opposite,
        settings=params.section(f"corpora.{args.corpus}.report", ReportSettings),
        compare=params.section(f"corpora.{args.corpus}.compare", CompareSettings),
        models={name: row.model for name, row in (found.variants | found.continued).items()},
        recipes={
            "model": params.section(f"corpora.{args.corpus}.model", ModelSizes).model_dump(),
            "training": params.section(f"corpora.{args.corpus}.training", Training).model_dump(),
        },
    )
    path = smaller_report(args.corpus, args.out.parent)
    taken = read_record(args.smaller, ("metrics", "comparisons"))
    smaller = Smaller(path, args.out / METRICS, taken["metrics"], taken["comparisons"]) if path else None
    report(read_study(Folders(args.axis, args.text, args.wordalign, args.tags), asked, smaller), args.out)


if __name__ == "__main__":
    run(main)
