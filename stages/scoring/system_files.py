"""Everything that the stages before left of one system and of the text that it is measured on, read once."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stages.files.links import Link
from stages.measures.gold_links import Gold
from stages.scoring.coverage_inputs import Covered, read_covered
from stages.scoring.inputs import (
    Text,
    read_best,
    read_cost,
    read_decoded,
    read_gold,
    read_references,
    read_tags,
    read_without_unk,
)
from stages.scoring.vocabulary import read_vocabulary
from stages.tagging.classes import Classes
from stages.tagging.tagger import About, Tagger, read_about, read_tagger
from stages.translating.translations import Transform, Translation, read_transform


class Folders(NamedTuple):
    """translations, wordalign, tags: of the stages evaluate, wordalign and tag; training: training.json of the train
    stage; data: of the stage binarize, None where words are cut."""

    translations: Path
    training: Path
    wordalign: Path
    tags: Path
    data: Path | None


class SystemFiles(NamedTuple):
    """What one system translated, and what that is held against. By name of a set, dev or a test set, where not said.

    cost: size and cost of the training. references: per sentence. decoded: its own translations; without_unk: those of
    test sets with unknown words forbidden, by row; of a system that is no neural network, where nothing is forbidden,
    the same sentences. forced: of dev and, where there is one, of gold; of neither for a system that is no neural
    network. golds: no sentence without a gold set. links: of the gold pairs, from the system's own word aligner; None
    for a system whose attention stands for them. classes: of the source words; tagger: of words of the target language;
    tagged_by: what tagged either language. covered: of dev, None of a system without coverage embeddings. best: best
    translation of a source word in the lexicon. vocabulary: of the source, None where words are
    cut, or for a system that is no neural network.
    """

    text: Text
    variant: str
    seed: int | None
    cost: Mapping[str, float | None]
    references: Mapping[str, list[tuple[str, ...]]]
    decoded: Mapping[str, list[Translation]]
    without_unk: Mapping[str, dict[int, Translation]]
    forced: Mapping[str, list[Translation]]
    golds: list[Gold]
    links: list[frozenset[Link]] | None
    classes: Mapping[str, Classes | None]
    tagger: Tagger | None
    tagged_by: Mapping[str, About]
    transform: Transform | None
    covered: list[Covered] | None
    best: Mapping[str, str]
    vocabulary: frozenset[str] | None


def read_system(text: Text, folders: Folders, variant: str, seed: int) -> SystemFiles:
    """Raises InputError if a file is missing or damaged, or if the files do not fit together."""
    sets, translations = ("dev", *text.tests), folders.translations
    forced = ("dev", *text.gold_set)
    return SystemFiles(
        text=text,
        variant=variant,
        seed=seed,
        cost=read_cost(folders.training, variant, seed),
        references={name: read_references(text, name) for name in sets},
        decoded={name: read_decoded(text, name, translations / f"{name}.jsonl") for name in sets},
        without_unk={name: read_without_unk(text, name, translations) for name in text.tests},
        forced={name: read_decoded(text, name, translations / f"{name}.forced.jsonl", forced=True) for name in forced},
        golds=read_gold(text) if text.gold else [],
        links=None,
        classes={name: read_tags(text, folders.tags, name) for name in sets},
        tagger=read_tagger(folders.tags, text.target),
        tagged_by={language: read_about(folders.tags, language) for language in (text.source, text.target)},
        transform=read_transform(translations / "transform.json"),
        covered=read_covered(text, translations, folders.wordalign),
        best=read_best(folders.wordalign, text.direction),
        vocabulary=None if folders.data is None else read_vocabulary(folders.data, text.source),
    )
