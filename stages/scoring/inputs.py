"""Reads what the score stage measures, and holds every file against the text it belongs to."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.files import references
from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.run_directory import lexicon_of
from stages.files.text import check_counts, iter_lines, read_lines
from stages.measures.gold_links import Gold, reverse
from stages.scoring.gold_links import read_gold_links
from stages.settings.languages import Direction
from stages.tagging.tagger import read_classes
from stages.translating.translations import Translation, read_no_unk, read_translations

LEXICON = ("word", "translation", "probability", "count")
COST = ("parameters", "train_tokens_per_second", "wall_seconds")


class Text(NamedTuple):
    """The corpus, seen in one direction: `source` and `target` are the languages of the translation."""

    folder: Path
    direction: Direction
    source: str
    target: str
    tests: tuple[str, ...]
    gold: bool

    @property
    def gold_set(self) -> tuple[str, ...]:
        """The name of the gold set, or no name."""
        return ("gold",) if self.gold else ()


def read_text(folder: Path, direction: Direction) -> Text:
    """What the record of the corpus says, turned into the direction."""
    corpus = read_corpus_record(folder)
    source, target = corpus.languages if direction == "forward" else reversed(corpus.languages)
    return Text(folder, direction, source, target, corpus.tests, corpus.gold)


def read_cost(path: Path, variant: str, seed: int) -> dict[str, float | None]:
    """Size and cost from the training record of this very system."""
    training = read_record(path, ("variant", "seed", *COST))
    if (training["variant"], training["seed"]) != (variant, seed):
        raise InputError(
            f"{path} is of {training['variant']} with seed {training['seed']}, not of {variant} with seed {seed}; "
            "check --training"
        )
    return {key: training[key] for key in COST}


def read_decoded(text: Text, name: str, path: Path, forced: bool = False) -> list[Translation]:
    """Translations of the set `name`, held against its text; `forced`: the target is the set's own."""
    translations = read_translations(path)
    sources, targets = (text.folder / f"{name}.{language}" for language in (text.source, text.target))
    _check_words(path, [translation.source for translation in translations], sources, "evaluate")
    if forced:
        _check_words(path, [translation.target for translation in translations], targets, "evaluate")
    return translations


def _check_words(path: Path, sentences: Sequence[Sequence[str]], words_path: Path, stage: str) -> None:
    """`stage`: the one that wrote `path`."""
    lines = read_lines(words_path)
    check_counts((path, len(sentences)), (words_path, len(lines)))
    for number, (sentence, line) in enumerate(zip(sentences, lines, strict=True), start=1):
        if len(sentence) != len(line.split(" ")):
            raise InputError(
                f"{path}, line {number}: {len(sentence)} words, but {words_path} has {len(line.split(' '))} there; "
                f"run the {stage} stage again"
            )


def lengths(text: Text, name: str) -> np.ndarray:
    """(N, 1): words of the source of each sentence of a set."""
    return np.array([[len(line.split(" "))] for line in read_lines(text.folder / f"{name}.{text.source}")])


def read_references(text: Text, name: str) -> list[tuple[str, ...]]:
    """Per sentence its references."""
    return references.read_references(text.folder, name, text.target)


def read_without_unk(text: Text, name: str, folder: Path) -> dict[int, Translation]:
    """Row -> translation with unknown words forbidden, of the sentences of the set `name` that have none."""
    path = folder / f"{name}.no_unk.jsonl"
    translations = read_no_unk(path)
    words_path = text.folder / f"{name}.{text.source}"
    lines = read_lines(words_path)
    for number, (row, translation) in enumerate(translations.items(), start=1):
        if row >= len(lines) or len(translation.source) != len(lines[row].split(" ")):
            raise InputError(
                f"{path}, line {number}: it is not the translation of line {row + 1} of {words_path}; run the evaluate "
                "stage again"
            )
    return translations


def read_tags(text: Text, tags: Path, name: str) -> list[list[str]] | None:
    """The part of speech of every source word of the set `name`; None if the language cannot be tagged."""
    classes = read_classes(tags, name, text.source)
    if classes is not None:
        _check_words(tags / f"{name}.{text.source}", classes, text.folder / f"{name}.{text.source}", "tag")
    return classes


def read_best(wordalign: Path, direction: Direction) -> dict[str, str]:
    """The best translation of each source word in the lexicon of the wordalign stage: the first of its rows."""
    path = wordalign / lexicon_of(direction)
    best: dict[str, str] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        columns = line.split("\t")
        if len(columns) != len(LEXICON):
            raise InputError(f"{path}, line {number}: not {', '.join(LEXICON)}; run the wordalign stage again")
        best.setdefault(columns[0], columns[1])
    return best


def read_gold(text: Text) -> list[Gold]:
    """The gold links in the direction of the translation, each held against its sentence."""
    if text.direction == "forward":
        return read_gold_links(text.folder, (text.source, text.target))
    return list(map(reverse, read_gold_links(text.folder, (text.target, text.source))))
