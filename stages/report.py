"""Stage `report`: the scores of all systems as tables, metrics and figures."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import matplotlib
import pandas as pd
from pydantic import Field

from stages import params
from stages.main import run
from stages.reporting import recipe
from stages.reporting.attention import Shown, read_maps
from stages.reporting.bridges import bridged_words, write_bridges
from stages.reporting.differences import marks, write_differences
from stages.reporting.heat_map import heat_maps
from stages.reporting.learning_curves import curves_frame, learning_curves
from stages.reporting.main_table import main_table
from stages.reporting.papers.beside import corpus_facts, paper_tables
from stages.reporting.papers.marks import marks_of
from stages.reporting.papers.write import write as write_papers
from stages.reporting.study import Asked, Folders, Study, read_study
from stages.reporting.style import rc, save, save_png
from stages.reporting.table import markdown
from stages.rows import sections
from stages.settings.compare import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.training import ModelSizes, Training
from stages.textio import new_folder

ABREAST = 3
"""Heat maps in a row of the panel of all systems: what fits a page."""


def report(study: Study, out: Path) -> None:
    """Write the report to the folder `out`, replaced as a whole.

    Raises InputError if an input is missing or does not fit; `out` is then as before.
    """
    asked = study.asked
    shown = read_maps(study.folders.axis, study.text, asked.titles, asked.seeds[0], asked.settings)
    with new_folder(out) as folder:
        _write_tables(study, folder)
        with matplotlib.rc_context(rc()):
            save(learning_curves(study.systems), folder / "figures" / "learning_curves")
            _write_heat_maps(shown, folder / "figures" / "attention")


def _write_tables(study: Study, folder: Path) -> None:
    tables = folder / "tables"
    tables.mkdir()
    made, compared, systems = study.document["recipe"], study.compared, study.systems
    main = markdown(main_table(study.frame, study.aligners, marks(compared)))
    notes = recipe.footnotes(made)
    (tables / "main.md").write_text(f"{main}\nHow these numbers came about:\n\n{notes}", encoding="utf-8")
    pd.concat([study.frame, study.aligners]).to_csv(tables / "main.csv", lineterminator="\n")
    beside = paper_tables(study.document, marks_of(compared))
    write_papers(beside, corpus_facts(made), tables / "papers", bridged_words(systems))
    write_differences(compared, study.asked.titles, tables)
    write_bridges(systems, tables)
    curves_frame(systems).to_csv(folder / "learning_curves.csv", index=False, lineterminator="\n")
    for name, content in {"metrics": study.document, "comparisons": compared}.items():
        written = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        (folder / f"{name}.json").write_text(written + "\n", encoding="utf-8")


def _write_heat_maps(shown: Shown, folder: Path) -> None:
    for variant, each in shown.maps.items():
        save_png(heat_maps([each], shown.caption, columns=1), folder / variant)
    if shown.maps:
        save_png(heat_maps(list(shown.maps.values()), shown.caption, ABREAST), folder / "all")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="name below `corpora` in params.yaml")
    parser.add_argument("--axis", required=True, type=Path, help="work/<corpus>/<direction>-<segmentation>")
    parser.add_argument("--text", required=True, type=Path, help="folder of the corpus stage")
    parser.add_argument("--wordalign", required=True, type=Path, help="folder of the wordalign stage")
    parser.add_argument("--out", required=True, type=Path, help="folder of the report; replaced as a whole")
    args = parser.parse_args(arguments)
    found = sections()
    asked = Asked(
        titles={name: row.title for name, row in (found.variants | found.continued).items()},
        seeds=params.section("seeds", Annotated[list[int], Field(min_length=1)]),
        opposite=found.opposite,
        settings=params.section(f"corpora.{args.corpus}.report", ReportSettings),
        compare=params.section(f"corpora.{args.corpus}.compare", CompareSettings),
        recipes={
            "model": params.section(f"corpora.{args.corpus}.model", ModelSizes).model_dump(),
            "training": params.section(f"corpora.{args.corpus}.training", Training).model_dump(),
        },
    )
    report(read_study(Folders(args.axis, args.text, args.wordalign), asked), args.out)


if __name__ == "__main__":
    run(main)
