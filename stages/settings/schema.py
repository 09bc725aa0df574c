"""The whole of params.yaml, validated at once: what `make repro` checks before anything runs."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from stages.files.errors import InputError
from stages.settings.alignment import AlignmentSettings
from stages.settings.comparison import CompareSettings
from stages.settings.corpora import CorpusSettings, SegmentationSettings
from stages.settings.params import PARAMS, Settings, find, read, validate
from stages.settings.report import ReportSettings
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import RowSections, sections, training_settings
from stages.settings.training import Decoding, ModelSizes, Training

PIPELINE = Path("dvc.yaml")
CONTINUE = "continue_"
"""Before the name of a base: the stage that trains the rows that start from it."""


class CorpusSection(Settings):
    """``corpora.<name>``."""

    corpus: CorpusSettings
    segmentation: SegmentationSettings
    model: ModelSizes
    training: Training
    decoding: Decoding
    wordalign: AlignmentSettings
    score: ScoreSettings
    compare: CompareSettings
    report: ReportSettings


class Params(RowSections):
    """params.yaml."""

    corpus: str
    direction: Literal["forward", "reverse"]
    segmentation: Literal["bpe", "words"]
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]
    corpora: dict[str, CorpusSection]


def load() -> Params:
    """The whole file, held against the stages of dvc.yaml.

    Raises:
        InputError: naming every key that is unknown, missing or wrong.
    """
    written, bases = read(), _bases()
    _check_bases(written.get("starts"), bases)
    content = validate(written, Params, "params")
    if content.corpus not in content.corpora:
        there = ", ".join(content.corpora)
        raise InputError(f"{PARAMS}: corpus: {content.corpus!r} is not below corpora (there are: {there})")
    if repeated := sorted({seed for seed in content.seeds if content.seeds.count(seed) > 1}):
        raise InputError(f"{PARAMS}: seeds: {', '.join(map(str, repeated))} stands there twice; name each seed once")
    sections()
    if strange := [start for start, rows in content.starts.items() if rows and start not in bases]:
        raise InputError(
            f"{PARAMS}: starts names {', '.join(strange)}, but {PIPELINE} has no stage "
            f"{', '.join(f'{CONTINUE}{start}' for start in strange)}; copy the one of another base and change the name"
        )
    baseline = content.corpora[content.corpus].compare.baseline
    if baseline not in content.variants | content.continued:
        raise InputError(
            f"{PARAMS}: corpora.{content.corpus}.compare.baseline: {baseline} is not a row; name the row that the "
            "others are compared with"
        )
    for row in content.variants | content.continued:
        if training_settings(content.corpus, row).supervision and row in content.opposite:
            raise InputError(f"{PARAMS}: opposite: {row} learns from word alignments, which have one direction")
    return content


def check_models(content: Params) -> None:
    """Build every row's command line of fairseq and parse it, so that no system fails after others have trained.

    Raises:
        InputError: naming the row and what its architecture does not take.
    """
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
    from stages.training.run import check_buildable, model_arguments_of

    from fairseq import options

    sizes = content.corpora[content.corpus].model
    for name, row in (content.variants | content.continued).items():
        arguments = model_arguments_of(row.model, sizes, name)
        parser = options.get_training_parser()
        parser.error = partial(_refuse, name)
        try:
            options.parse_args_and_arch(parser, ["data", *arguments])
            check_buildable(row.model, arguments, training_settings(content.corpus, name).supervision, name)
        except InputError:
            raise
        except ValueError as error:  # an option that the system itself fixes, or that it cannot be built with
            _refuse(name, str(error))


def _bases() -> list[str]:
    """The keys that `starts` must have: DVC refuses dvc.yaml before any stage could say that one is missing."""
    stages = find(read(PIPELINE), "stages", PIPELINE)
    return [name.removeprefix(CONTINUE) for name in stages if name.startswith(CONTINUE)]


def _check_bases(starts: Any, bases: Sequence[str]) -> None:
    """Raise InputError unless `starts`, as it stands in the file, has them all."""
    there = starts if isinstance(starts, dict) else {}
    if lacking := [base for base in bases if base not in there]:
        empty = ", ".join(f"{base}: []" for base in lacking)
        raise InputError(
            f"{PARAMS}: starts lacks {', '.join(lacking)}: {PIPELINE} has a stage {CONTINUE}<base> for each; name the "
            f"rows that start from there, or none, as in `starts: {{{empty}}}`"
        )


def _refuse(row: str, message: str) -> None:
    """What argparse calls instead of printing its usage and leaving."""
    raise InputError(f"{PARAMS}: {row}.model: {message}")
