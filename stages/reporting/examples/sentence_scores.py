"""Numbers of every sentence of a set, system by system: what the rules choose by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stages.files.text import read_lines
from stages.reporting.examples.attention_errors import AttentionErrors, attention_errors, content_words
from stages.reporting.sentence_sets import SentenceSet, Values
from stages.reporting.study_results import StudyResults
from stages.translating.translations import Translation


class SentenceWords(NamedTuple):
    """A sentence: its source, its references, and of every source word whether it counts, see `content_words`."""

    source: list[str]
    references: list[list[str]]
    content: list[bool]


@dataclass(frozen=True)
class SystemScores:
    """One system on N sentences of a test set.

    bleu: (N,) percent; whole: BLEU of the set; short: (N,) words that the translation lacks to the shortest reference;
    attention_errors: what its attention shows of each sentence, None for a system without.
    """

    bleu: np.ndarray
    whole: float
    short: np.ndarray
    attention_errors: Sequence[AttentionErrors] | None


StudyScores = Mapping[str, SystemScores]
"""Variant -> its scores, in the order of the tables."""


@dataclass(frozen=True)
class Aligned:
    """One system on the gold set: error rate of each sentence (N,), nan where there is none, and of the whole set."""

    aer: np.ndarray
    whole: float


def read_words(study: StudyResults, test: SentenceSet, classes: Sequence[Sequence[str]] | None) -> list[SentenceWords]:
    """classes: of every source word; None for a language that cannot be tagged."""
    # References may be running text; the set's own target side is in words, like the translations.
    own = read_lines(study.text.folder / f"{test.name}.{study.text.target}")
    words = []
    for k, (line, target, references) in enumerate(zip(test.source, own, test.references, strict=True)):
        source = line.split(" ")
        content = content_words(source, classes[k] if classes else None)
        words.append(SentenceWords(source, [each.split() for each in (target, *references)], content))
    return words


def sentence_scores(study: StudyResults, test: SentenceSet, words: Sequence[SentenceWords]) -> StudyScores:
    """Of every variant, in the order of the tables. `test`: the first test set."""
    found = {}
    for variant, side in test.sides.items():
        lacks = [
            min(map(len, sentence.references)) - len(each.target)
            for each, sentence in zip(side.translations, words, strict=True)
        ]
        bleu, whole = _numbers(side.values["bleu"]), _whole(study, variant, "bleu")
        found[variant] = SystemScores(bleu, whole, np.array(lacks), _looks(side.translations, words))
    return found


def alignments(study: StudyResults, gold: SentenceSet) -> dict[str, Aligned]:
    """Of every variant that attends, in the order of the tables; SMT's links are not its decoder's."""
    return {
        variant: Aligned(_numbers(side.values["aer"]), _whole(study, variant, "aer"))
        for variant, side in gold.sides.items()
        if "aer" in side.values and side.translations[0].attention is not None
    }


def _looks(translations: Sequence[Translation], words: Sequence[SentenceWords]) -> list[AttentionErrors] | None:
    if translations[0].attention is None:  # a file has attention for all sentences or for none
        return None
    return [
        attention_errors(each, sentence.references, sentence.content)
        for each, sentence in zip(translations, words, strict=True)
    ]


def _numbers(values: Values) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values])


def _whole(study: StudyResults, variant: str, measure: str) -> float:
    return study.document["systems"][variant]["seeds"][str(study.spec.seeds[0])][measure]
