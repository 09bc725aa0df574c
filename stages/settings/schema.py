"""The whole of params.yaml, validated at once: what is checked before anything runs."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL
from stages.settings.alignment import AlignmentSettings
from stages.settings.comparison import CompareSettings
from stages.settings.corpora import CorpusSettings, SegmentationSettings, TextDefaults
from stages.settings.names import shown
from stages.settings.params import PARAMS, Name, Settings, StudyName, read, validate
from stages.settings.report import ReportSettings
from stages.settings.scoring import ScoreSettings, misfit
from stages.settings.smt import SmtSettings
from stages.settings.systems import Study, StudyDefaults, study_systems
from stages.settings.titles import Titles
from stages.settings.training import Decoding, ModelSizes, Training, TrainingKeys
from stages.settings.variants import Variant, merged, training_settings

OF_TRAINING_TEXT = ("train", "limit", "match_lengths_of", "max_length", "distinct", "mismatched_pairs", "lowercase")
"""Settings of a corpus that its dev, test and gold sets do not depend on."""

LARGEST = 2**32 - 1


class Recipe(Settings):
    """``recipes.<name>``: the sections of a corpus that a paper prints, for a corpus to merge."""

    segmentation: SegmentationSettings
    model: ModelSizes
    training: Training
    decoding: Decoding


class Sections(Recipe):
    """All sections of a corpus but the text itself."""

    fine_tuning: TrainingKeys
    wordalign: AlignmentSettings
    smt: SmtSettings
    score: ScoreSettings
    compare: CompareSettings
    report: ReportSettings


class CorpusSection(Sections):
    """``corpora.<name>``."""

    corpus: CorpusSettings


class Defaults(Settings):
    """``defaults``: for studies, recipes and corpora to merge.

    sizes: of `model`, without widths that only some systems have; corpus: all sections together; papers_corpus: the
    same for the papers' recipes, which say nothing of fine-tuning.
    """

    study: StudyDefaults
    text: TextDefaults
    segmentation: SegmentationSettings
    sizes: ModelSizes
    model: ModelSizes
    training: Training
    fine_tuning: TrainingKeys
    decoding: Decoding
    wordalign: AlignmentSettings
    smt: SmtSettings
    score: ScoreSettings
    compare: CompareSettings
    report: ReportSettings
    corpus: Sections
    papers_corpus: Sections


class Params(Study):
    """params.yaml: the chosen study at the top level, and what there is to choose from.

    sets: names of systems that belong together, for the studies to refer to; fine_tuned_sets: the same for fine-tuned
    ones with their bases. recipes: for a corpus to merge, see `Recipe`. titles: how reports call the systems.
    """

    defaults: Defaults
    sets: dict[Name, list[Name]]
    fine_tuned_sets: dict[Name, dict[Name, Name]]
    studies: Annotated[dict[StudyName, Study], Field(min_length=1)]
    recipes: dict[Name, Recipe]
    titles: Titles
    variants: Annotated[dict[Name, Variant], Field(min_length=1)]
    corpora: dict[StudyName, CorpusSection]


def load() -> Params:
    """The whole file.

    Raises:
        InputError: naming every key that is unknown, missing or wrong.
    """
    return check(read())


def check(read: dict[str, Any]) -> Params:
    """What params.yaml says, as `load` returns it."""
    if problems := list(_unknown_corpora(read)):  # a study's own check would speak of its folder
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    content = validate(read, Params, "params")
    if odd := list(_out_of_range(read, "params")):
        raise InputError(f"{PARAMS}: " + "; ".join(odd))
    study_systems(read)
    of_defaults = ("defaults", "defaults.corpus", "defaults.papers_corpus")
    for section in (*of_defaults, *(f"corpora.{name}" for name in content.corpora)):
        merged([f"{section}.training", f"{section}.fine_tuning"], read).settings()
    for name, variant in content.variants.items():
        for corpus in sorted({content.corpus, *variant.by_corpus} & content.corpora.keys()):
            _check_training(corpus, name, read, content)
    if problems := list(_problems(content, read)):
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    return content


def _check_training(corpus: str, name: str, read: dict[str, Any], study: Study) -> None:
    """Raise an InputError for training settings of a system that are wrong on this corpus; where the study does not
    train it, only for those that are so from random weights and fine-tuned."""
    if corpus == study.corpus and name in study.built:
        training_settings(corpus, name, read, name in study.fine_tuned)
        return
    try:
        training_settings(corpus, name, read, True)
    except InputError:
        training_settings(corpus, name, read)


def _unknown_corpora(read: dict[str, Any]) -> Iterator[str]:
    """Of the studies, each corpus once."""
    corpora, studies = read.get("corpora"), read.get("studies")
    if not isinstance(corpora, dict) or not isinstance(studies, dict):
        return
    said: set[str] = set()
    for name, study in {**{f"studies.{key}.": one for key, one in studies.items()}, "": read}.items():
        corpus = study.get("corpus") if isinstance(study, dict) else None
        if isinstance(corpus, str) and corpus not in {*corpora, *said}:
            said.add(corpus)
            yield f"{name}corpus: {shown(corpus)} is not below corpora (there are: {', '.join(corpora)})"


def _out_of_range(node: Any, name: str) -> Iterator[str]:
    """Numbers that no setting has, whatever its type lets through."""
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _out_of_range(value, f"{name}.{key}")
    elif isinstance(node, int | float) and not 0 <= node <= LARGEST:
        yield f"{name}: a number should be from 0 to {LARGEST:,} (is {shown(node)})"


def _problems(content: Params, read: dict[str, Any]) -> Iterator[str]:
    for key, study in content.studies.items():
        if study.study != key:
            yield f"studies.{key}.study is {study.study}; write the name of the block there"
    if nobody := [name for name in content.titles if name not in content.variants]:
        yield f"titles: there is no variant {', '.join(nobody)}; correct the spelling"
    for name, variant in content.variants.items():
        if name in STATISTICAL:
            yield f"variants.{name}: {name} is the name of the phrase-based system; choose another name"
        if unknown := [each for each in variant.by_corpus if each not in content.corpora]:
            yield f"variants.{name}.by_corpus: there is no corpus {', '.join(unknown)}; correct the spelling"
    yield from _of_targets(content)
    yield from _of_comparisons(content)
    yield from _of_training_sizes(content)
    for name in content.built:
        training = training_settings(content.corpus, name, read, name in content.fine_tuned)
        if training.overflow:
            yield f"variants.{name}.training: {training.overflow}"
        if training.supervision and name in content.also_reverse:
            yield (
                f"also_reverse: {name} learns from {training.supervision}, which are those of one direction; "
                "take it off the list"
            )


def _of_targets(content: Params) -> Iterator[str]:
    """How translations are measured must fit the language that each study translates into."""
    said: dict[str, None] = {}
    for study in (*content.studies.values(), content):
        if (own := content.corpora.get(study.corpus)) is not None:
            target = own.corpus.target if study.direction == "forward" else own.corpus.source
            if why := misfit(own.score, target):
                said[f"corpora.{study.corpus}.score: {why}"] = None
    yield from said


def _of_comparisons(content: Params) -> Iterator[str]:
    for name, corpus in content.corpora.items():
        compare = corpus.compare
        if unknown := [each for each in (compare.baseline, *compare.rivals) if each not in content.variants]:
            yield f"corpora.{name}.compare: there is no variant {', '.join(unknown)}; correct the spelling"
    baseline = content.corpora[content.corpus].compare.baseline
    if baseline not in content.neural:
        yield (
            f"corpora.{content.corpus}.compare.baseline: {baseline} is not in this study; name the system that "
            "the others are compared with"
        )


def _of_training_sizes(content: Params) -> Iterator[str]:
    """What would leave the two reports incomparable (see `stages.reporting.comparable`) and is known from settings."""
    own = content.corpora[content.corpus]
    for name in content.training_sizes:
        if name not in content.studies:
            yield f"training_sizes: there is no study {name} (there are: {', '.join(content.studies)})"
            continue
        study = content.studies[name]
        other, odd = content.corpora[study.corpus], []
        odd += [key for key in ("direction", "segmentation") if getattr(study, key) != getattr(content, key)]
        odd += _differing(own.corpus, other.corpus)
        odd += ["score.bleu_tokenize"] * (own.score.bleu_tokenize != other.score.bleu_tokenize)
        if study.corpus == content.corpus:
            odd.append("corpus is the same")
        if odd:
            yield (
                f"training_sizes: {name} does not compare with {content.study}, which must differ in the training text "
                f"alone ({', '.join(odd)}); take it off the list, or make them alike"
            )


def _differing(one: Settings, other: Settings) -> list[str]:
    first, second = one.model_dump(), other.model_dump()
    keys = [key for key in dict.fromkeys([*first, *second]) if key not in OF_TRAINING_TEXT]
    return [f"corpus.{key}" for key in keys if first.get(key) != second.get(key)]
