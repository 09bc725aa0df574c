"""Stage `report`: the scores of all systems as tables, metrics and figures."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import matplotlib
import pandas as pd
from pydantic import Field

from stages import params
from stages.main import run
from stages.reporting import recipe, summary
from stages.reporting.aligners import aligner_frame, read_aligners
from stages.reporting.attention import Shown, read_maps
from stages.reporting.heat_map import heat_maps
from stages.reporting.learning_curves import curves_frame, learning_curves
from stages.reporting.main_table import main_table
from stages.reporting.results import System, read_systems
from stages.reporting.style import rc, save, save_png
from stages.reporting.table import markdown
from stages.rows import rows
from stages.score_inputs import read_text
from stages.settings.report import ReportSettings
from stages.settings.training import ModelSizes, Training
from stages.textio import new_folder, read_json

ABREAST = 3
"""Heat maps in a row of the panel of all systems: what fits a page."""


def report(
    axis: Path,
    corpus: Path,
    wordalign: Path,
    out: Path,
    titles: Mapping[str, str],
    seeds: Sequence[int],
    settings: ReportSettings,
    recipes: Mapping[str, Any],
) -> None:
    """Write the report of `axis` to `out`, one row for each of `titles` (variant -> title), in that order.

    `axis`: work/<corpus>/<direction>-<segmentation>; `corpus`: folder of the corpus stage; `wordalign`: folder of the
    wordalign stage; `recipes`: settings to show below the table.
    Raises InputError if an input is missing or does not fit; `out` is then as before.
    """
    direction, segmentation = axis.name.split("-", 1)
    text = read_text(corpus, direction)
    systems = read_systems(axis, titles, seeds)
    shown = read_maps(axis, text, titles, seeds[0], settings)
    aligners = read_aligners(wordalign)
    made = {"segmentation": segmentation, "seeds": list(seeds), **recipes}
    made |= recipe.shared(systems) | {"aligners": aligners.recipe, "data": read_json(corpus / "stats.json")}
    document = summary.metrics_document(systems, aligners.metrics, made)
    with new_folder(out) as folder:
        _write_tables(document, systems, folder)
        with matplotlib.rc_context(rc()):
            save(learning_curves(systems), folder / "figures" / "learning_curves")
            _write_heat_maps(shown, folder / "figures" / "attention")


def _write_tables(document: dict[str, Any], systems: Sequence[System], folder: Path) -> None:
    frame = summary.frame(document)
    aligners = aligner_frame(document, frame)
    tables = folder / "tables"
    tables.mkdir()
    notes = recipe.footnotes(document["recipe"])
    main = markdown(main_table(frame, aligners))
    (tables / "main.md").write_text(f"{main}\nHow these numbers came about:\n\n{notes}", encoding="utf-8")
    pd.concat([frame, aligners]).to_csv(tables / "main.csv", lineterminator="\n")
    curves_frame(systems).to_csv(folder / "learning_curves.csv", index=False, lineterminator="\n")
    metrics = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / "metrics.json").write_text(metrics + "\n", encoding="utf-8")


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
    report(
        axis=args.axis,
        corpus=args.text,
        wordalign=args.wordalign,
        out=args.out,
        titles={name: row.title for name, row in rows().items()},
        seeds=params.section("seeds", Annotated[list[int], Field(min_length=1)]),
        settings=params.section(f"corpora.{args.corpus}.report", ReportSettings),
        recipes={
            "model": params.section(f"corpora.{args.corpus}.model", ModelSizes).model_dump(),
            "training": params.section(f"corpora.{args.corpus}.training", Training).model_dump(),
        },
    )


if __name__ == "__main__":
    run(main)
