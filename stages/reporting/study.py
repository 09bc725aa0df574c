"""Everything that a report shows, read once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from stages.files.corpus_record import read_corpus_record
from stages.reporting import recipe, summary
from stages.reporting.aligners import aligner_frame, read_aligners
from stages.reporting.comparisons import compare, compared_how
from stages.reporting.results import System, read_systems
from stages.reporting.smaller import Smaller
from stages.scoring.catalogue import COMPARED, GROUPS
from stages.scoring.inputs import Text, read_text
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel


class Folders(NamedTuple):
    """axis: work/<corpus>/<direction>-<segmentation>, where the stages after the corpus have their folders; text,
    wordalign, tags: of the stages corpus, wordalign, tag."""

    axis: Path
    text: Path
    wordalign: Path
    tags: Path


class Asked(NamedTuple):
    """What params.yaml asks of a report: its rows (variant -> title, in their order), and the settings it shows.

    opposite: the variants that are trained in the opposite direction too; recipes: settings to show below the table;
    models: variant -> its `model`, of every row or, for a report without formulas and figures, of none.
    """

    titles: Mapping[str, str]
    seeds: Sequence[int]
    opposite: Sequence[str]
    settings: ReportSettings
    compare: CompareSettings
    recipes: Mapping[str, Any]
    models: Mapping[str, VariantModel] = MappingProxyType({})


class Study(NamedTuple):
    """document: what metrics.json says; compared: what comparisons.json says; frame: a row a system, see
    `summary.frame`; aligners: the statistical ones in the same columns; stats: of the corpus; smaller: the report of
    less training text, None if params.yaml names none."""

    folders: Folders
    asked: Asked
    text: Text
    systems: tuple[System, ...]
    document: dict[str, Any]
    compared: dict[str, Any]
    frame: pd.DataFrame
    aligners: pd.DataFrame
    stats: dict[str, Any]
    smaller: Smaller | None = None


def read_study(folders: Folders, asked: Asked, smaller: Smaller | None = None) -> Study:
    """Raises InputError if an input is missing or does not fit."""
    direction, segmentation = folders.axis.name.split("-", 1)
    text = read_text(folders.text, direction)
    systems = read_systems(folders.axis, text, asked.titles, asked.seeds, asked.opposite)
    aligners = read_aligners(folders.wordalign)
    stats = read_corpus_record(folders.text).content
    made = {"segmentation": segmentation, "seeds": list(asked.seeds), **asked.recipes}
    made |= recipe.shared(systems) | {"aligners": aligners.recipe, "data": stats}
    made |= {"differences": compared_how(asked.compare, list(asked.titles))}
    document = summary.metrics_document(systems, aligners.metrics, made)
    frame = summary.frame(document)
    scores, variants = folders.axis / "scores", list(asked.titles)
    compared = compare(text, scores, variants, asked.seeds, asked.compare, COMPARED, GROUPS)
    below = aligner_frame(document, frame)
    return Study(folders, asked, text, systems, document, compared, frame, below, stats, smaller)
