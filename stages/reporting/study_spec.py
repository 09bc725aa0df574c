"""What params.yaml asks of a report."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.reporting.ranking import CANDIDATES, ENSEMBLE, LONGER
from stages.settings import params
from stages.settings.comparison import CompareSettings
from stages.settings.corpora import SegmentationSettings
from stages.settings.languages import Segmentation
from stages.settings.report import ReportSettings
from stages.settings.scoring import EosPolicy
from stages.settings.smt import SMT_TITLES
from stages.settings.systems import StudySystems, study_systems
from stages.settings.titles import titles_of
from stages.settings.training import DecodingControl, ModelSizes, Training
from stages.settings.variants import VariantModel

CHOSEN_TEXT = ("max_length", "limit", "match_lengths_of", "distinct", "mismatched_pairs")
"""Settings of a corpus that say which pairs of train are kept, beside its parts."""

GENERATED = "The text is generated: the numbers show mechanisms at work, and support no claim about translation."


class StudySpec(NamedTuple):
    """The systems of a study (variant -> title, in their order), their seeds, and the settings of its report.

    study: its name. reverse: the variants that are trained in the reverse direction too. recipes: settings to show
    below the table. models: variant -> its `model`, of every system or, for a report without formulas and figures, of
    none. training_sizes: names of studies on less text that it is compared with. fine_tuned: variant -> the variant
    that it is initialised from, here or elsewhere, or whose models it shares. decoded: of those that share models, here
    or elsewhere, what their search does otherwise. apart: variant -> `LONGER`, `ENSEMBLE` or `CANDIDATES`, of those
    with values that do not compete. generated: whether the text is the demo's, which no author has written. read_outs:
    variants whose links were read out in several ways. aer_eos: how scores made links of attention.
    """

    study: str
    titles: Mapping[str, str]
    seeds: Sequence[int]
    reverse: Sequence[str]
    settings: ReportSettings
    compare: CompareSettings
    recipes: Mapping[str, Any]
    models: Mapping[str, VariantModel] = MappingProxyType({})
    training_sizes: Sequence[str] = ()
    fine_tuned: Mapping[str, str] = MappingProxyType({})
    decoded: Mapping[str, DecodingControl] = MappingProxyType({})
    apart: Mapping[str, str] = MappingProxyType({})
    generated: bool = False
    read_outs: Sequence[str] = ()
    aer_eos: EosPolicy = "drop"

    @property
    def caution(self) -> str:
        """What to say before any number; empty of text that people have written."""
        return GENERATED if self.generated else ""

    @property
    def ensembles(self) -> list[str]:
        """Those whose runs share models with each other."""
        return [name for name, own in self.decoded.items() if own.ensemble > 1]


def read_spec(study: str, corpus: str) -> StudySpec:
    """From params.yaml, which is read once.

    Raises:
        InputError: it chooses another study or corpus, or something in it is missing or wrong.
    """
    content = params.read()
    found = study_systems(content)
    if (study, corpus) != (found.study, found.corpus):
        raise InputError(
            f"the report of study {study} on corpus {corpus} was asked for, but {params.PARAMS} chooses study "
            f"{found.study} on corpus {found.corpus}; run `dvc repro`, which takes both from there"
        )
    statistical = {name: SMT_TITLES[name] for name in [*found.smt, *found.released_smt]}
    return StudySpec(
        study=study,
        titles=titles_of(found.variants, content) | statistical,
        seeds=found.seeds,
        reverse=found.also_reverse,
        settings=_section(content, corpus, "report", ReportSettings),
        compare=_section(content, corpus, "compare", CompareSettings),
        recipes=_recipes(found, content),
        generated=params.find(content, f"corpora.{corpus}.corpus")["kind"] == "demo",
        models={name: variant.model for name, variant in found.variants.items()}
        | {name: VariantModel(arch=name) for name in statistical},
        training_sizes=found.training_sizes,
        fine_tuned=found.bases,
        decoded={name: one.decoding for name, one in found.variants.items() if one.decoding is not None},
        read_outs=found.read_outs,
        apart=_apart(found, content),
        aer_eos=params.find(content, f"corpora.{corpus}.score.aer_eos"),
    )


def _section(content: dict[str, Any], corpus: str, name: str, kind: Any) -> Any:
    """A section of a corpus as an object of ``kind``. content: of params.yaml."""
    whole = f"corpora.{corpus}.{name}"
    return params.validate(params.find(content, whole), kind, whole)


def _recipes(study: StudySystems, content: dict[str, Any]) -> dict[str, Any]:
    """content: of params.yaml."""
    of, settings = f"corpora.{study.corpus}", partial(_section, content, study.corpus)
    text = params.find(content, f"{of}.corpus")
    own = {
        name: variant.training
        | variant.options()
        | (variant.decoding.model_dump(exclude_defaults=True) if variant.decoding else {})
        for name, variant in study.variants.items()
    }
    return {
        "train_text": _train_text(text),
        "vocabulary": _vocabulary(study.segmentation, settings("segmentation", SegmentationSettings), text),
        "model": settings("model", ModelSizes).model_dump(),
        "training": settings("training", Training).model_dump(),
        "fine_tuning": params.find(content, f"{of}.fine_tuning"),
        "own_settings": {name: settings for name, settings in own.items() if settings},
    }


def _train_text(corpus: dict[str, Any]) -> dict[str, Any]:
    """corpus: its settings."""
    chosen = {key: corpus[key] for key in CHOSEN_TEXT if corpus.get(key)}
    if corpus["kind"] != "mix":
        return chosen
    return chosen | {"pairs_at_most": {part["corpus"]: part["limit"] or "all" for part in corpus["train"]}}


def _vocabulary(segmentation: Segmentation, settings: SegmentationSettings, corpus: dict[str, Any]) -> dict[str, Any]:
    """joint: whether both languages share it."""
    if segmentation == "words":
        words = settings.word_vocabulary.model_dump()
        return {"words": {corpus[side]: size or "all" for side, size in words.items()}, "joint": False}
    dropout = {"bpe_dropout": settings.bpe_dropout.model_dump()} if settings.bpe_dropout else {}
    kept = settings.model_dump(include={"merges", "joint", "vocabulary_threshold"})
    return {"of": "byte pair encoding", **kept, **dropout}


def _apart(study: StudySystems, content: dict[str, Any]) -> dict[str, str]:
    """content: of params.yaml."""
    epochs = params.find(content, f"corpora.{study.corpus}.training.max_epoch")
    longest = params.find(content, f"corpora.{study.corpus}.corpus.max_length")
    found = {}
    for name, variant in study.variants.items():
        own, trained = variant.training, name if variant.decoding is None else study.bases.get(name)
        on_part = (own.get("max_length") or longest) < longest  # more epochs of it need not be more training
        if trained in study.bases or (own.get("max_epoch", epochs) > epochs and not on_part):
            found[name] = LONGER
        elif variant.decoding is not None and variant.decoding.ensemble > 1:
            found[name] = ENSEMBLE
        elif "candidates" in (own.get("supervision") or ""):
            found[name] = CANDIDATES
    return found
