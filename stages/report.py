"""Stage `report`: the scores of all systems as tables, metrics and figures."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import matplotlib
import pandas as pd
from pydantic import Field

from stages import params
from stages.main import run
from stages.reporting import recipe, summary
from stages.reporting.aligners import aligner_frame, read_aligners
from stages.reporting.attention import Shown, read_maps
from stages.reporting.bridges import bridged_words, write_bridges
from stages.reporting.comparisons import compare, compared_how
from stages.reporting.differences import marks, write_differences
from stages.reporting.heat_map import heat_maps
from stages.reporting.learning_curves import curves_frame, learning_curves
from stages.reporting.main_table import main_table
from stages.reporting.papers.beside import corpus_facts, paper_tables
from stages.reporting.papers.marks import marks_of
from stages.reporting.papers.write import write as write_papers
from stages.reporting.results import System, read_systems
from stages.reporting.style import rc, save, save_png
from stages.reporting.table import markdown
from stages.rows import sections
from stages.score_inputs import read_text
from stages.scoring.catalogue import COMPARED, GROUPS
from stages.settings.compare import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.training import ModelSizes, Training
from stages.textio import new_folder, read_json

ABREAST = 3
"""Heat maps in a row of the panel of all systems: what fits a page."""


class Folders(NamedTuple):
    """axis: work/<corpus>/<direction>-<segmentation>; text, wordalign: of the stages corpus and wordalign."""

    axis: Path
    text: Path
    wordalign: Path


class Asked(NamedTuple):
    """What params.yaml asks of a report: its rows (variant -> title, in their order), and the settings it shows.

    opposite: the variants that are trained in the opposite direction too; recipes: settings to show below the table.
    """

    titles: Mapping[str, str]
    seeds: Sequence[int]
    opposite: Sequence[str]
    settings: ReportSettings
    compare: CompareSettings
    recipes: Mapping[str, Any]


def report(folders: Folders, asked: Asked, out: Path) -> None:
    """Write the report to the folder `out`, replaced as a whole.

    Raises InputError if an input is missing or does not fit; `out` is then as before.
    """
    direction, segmentation = folders.axis.name.split("-", 1)
    text = read_text(folders.text, direction)
    systems = read_systems(folders.axis, text, asked.titles, asked.seeds, asked.opposite)
    shown = read_maps(folders.axis, text, asked.titles, asked.seeds[0], asked.settings)
    aligners = read_aligners(folders.wordalign)
    made = {"segmentation": segmentation, "seeds": list(asked.seeds), **asked.recipes}
    made |= recipe.shared(systems) | {"aligners": aligners.recipe, "data": read_json(folders.text / "stats.json")}
    made |= {"differences": compared_how(asked.compare, list(asked.titles))}
    document = summary.metrics_document(systems, aligners.metrics, made)
    scores, variants = folders.axis / "scores", list(asked.titles)
    compared = compare(text, scores, variants, asked.seeds, asked.compare, COMPARED, GROUPS)
    with new_folder(out) as folder:
        _write_tables(document, systems, compared, folder)
        with matplotlib.rc_context(rc()):
            save(learning_curves(systems), folder / "figures" / "learning_curves")
            _write_heat_maps(shown, folder / "figures" / "attention")


def _write_tables(document: dict[str, Any], systems: Sequence[System], compared: dict[str, Any], folder: Path) -> None:
    frame = summary.frame(document)
    aligners = aligner_frame(document, frame)
    tables = folder / "tables"
    tables.mkdir()
    notes = recipe.footnotes(document["recipe"])
    main = markdown(main_table(frame, aligners, marks(compared)))
    (tables / "main.md").write_text(f"{main}\nHow these numbers came about:\n\n{notes}", encoding="utf-8")
    pd.concat([frame, aligners]).to_csv(tables / "main.csv", lineterminator="\n")
    beside = paper_tables(document, marks_of(compared))
    write_papers(beside, corpus_facts(document["recipe"]), tables / "papers", bridged_words(systems))
    write_differences(compared, {system.variant: system.title for system in systems}, tables)
    write_bridges(systems, tables)
    curves_frame(systems).to_csv(folder / "learning_curves.csv", index=False, lineterminator="\n")
    for name, content in {"metrics": document, "comparisons": compared}.items():
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
    report(Folders(args.axis, args.text, args.wordalign), asked, args.out)


if __name__ == "__main__":
    run(main)
