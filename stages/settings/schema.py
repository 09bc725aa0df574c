"""The whole of params.yaml, validated at once: what `make repro` checks before anything runs."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from stages.files.errors import InputError
from stages.settings.alignment import AlignmentSettings
from stages.settings.comparison import CompareSettings
from stages.settings.corpora import CorpusSettings, SegmentationSettings
from stages.settings.params import PARAMS, Name, Settings, StudyName, read, validate
from stages.settings.report import ReportSettings
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import Study, study_systems
from stages.settings.training import Decoding, ModelSizes, Training
from stages.settings.variants import Variants, training_settings


class Recipe(Settings):
    """``recipes.<name>``: the sections of a corpus that a paper prints, for a corpus to merge."""

    segmentation: SegmentationSettings
    model: ModelSizes
    training: Training
    decoding: Decoding


class CorpusSection(Recipe):
    """``corpora.<name>``."""

    corpus: CorpusSettings
    wordalign: AlignmentSettings
    score: ScoreSettings
    compare: CompareSettings
    report: ReportSettings


class Params(Study):
    """params.yaml: the chosen study at the top level, and what there is to choose from.

    sets: names of systems that belong together, for the studies to refer to; fine_tuned_sets: the same for fine-tuned
    ones with their bases. recipes: for a corpus to merge, see `Recipe`.
    """

    sets: dict[Name, list[Name]]
    fine_tuned_sets: dict[Name, dict[Name, Name]]
    studies: Annotated[dict[StudyName, Study], Field(min_length=1)]
    recipes: dict[Name, Recipe]
    variants: Annotated[Variants, Field(min_length=1)]
    corpora: dict[StudyName, CorpusSection]


def load() -> Params:
    """The whole file.

    Raises:
        InputError: naming every key that is unknown, missing or wrong.
    """
    content = validate(read(), Params, "params")
    study_systems()
    if problems := list(_problems(content)):
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    return content


def _problems(content: Params) -> Iterator[str]:
    for key, study in content.studies.items():
        if study.study != key:
            yield f"studies.{key}.study is {study.study}; write the name of the block there"
    if unknown := [name for name in content.training_sizes if name not in content.studies]:
        yield f"training_sizes: there is no study {', '.join(unknown)} (there are: {', '.join(content.studies)})"
    systems = [*content.rows, *content.fine_tuned]
    baseline = content.corpora[content.corpus].compare.baseline
    if baseline not in systems:
        yield (
            f"corpora.{content.corpus}.compare.baseline: {baseline} is not trained in this study; name the system that "
            "the others are compared with"
        )
    for name in systems:
        supervision = training_settings(content.corpus, name).supervision
        if supervision and name in content.reverse:
            yield f"reverse: {name} learns from {supervision}, which are those of one direction; take it off the list"
