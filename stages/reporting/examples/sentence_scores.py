"""Numbers of every sentence of a set, system by system, which the rules choose by; and what one translation shows: what
it says too often, what it leaves out, where it ends, by its attention, and what it keeps of the reference's end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from stages.corpora.parallel import single_spaced
from stages.corpora.tokenise import tokeniser
from stages.files.text import read_lines
from stages.measures.hard_links import NO_LINK, strongest
from stages.reporting.sentence_sets import SentenceSet, Values
from stages.reporting.study_results import StudyResults
from stages.scoring.text_counts import fold
from stages.translating.translations import Translation

CONTENT = frozenset({"NN", "NR", "NT", "CD", "V", "JJ"})
"""Classes of `tagging.classes` whose words a translation cannot do without: nouns, numbers, verbs, adjectives."""


class AttentionErrors(NamedTuple):
    """Positions of words, from 0, each tuple rising.

    over_translated: target words that another one before has said already, by way of the same source word, and of which
    the translation has more than any reference. left_out: content words of the source that no target word looks at.
    behind_end: of these, the ones behind every source word that the translation or its end looks at.
    """

    over_translated: tuple[int, ...]
    left_out: tuple[int, ...]
    behind_end: tuple[int, ...]


def attention_errors(
    translation: Translation, references: Sequence[Sequence[str]], content: Sequence[bool], language: str
) -> AttentionErrors:
    """`references`: in words; `content`: of every source word whether it counts; `language`: of the translation, which
    has attention.

    A target word looks at the source word of its highest weight, as in ROT and AER.
    """
    links = strongest(translation.word_weights, "drop").tolist()
    seen = set(links)
    left_out = tuple(j for j, counts in enumerate(content) if counts and j not in seen)
    end = max([_attended_end(translation), *links])
    return AttentionErrors(
        _over_translated(translation.target, links, references, language),
        left_out,
        tuple(j for j in left_out if j > end),
    )


def content_words(words: Sequence[str], classes: Sequence[str] | None) -> list[bool]:
    """Of every source word whether it counts; without classes, whether it is no punctuation."""
    if classes is None:
        return [any(map(str.isalnum, word)) for word in words]
    return [name in CONTENT for name in classes]


def kept_at_end(target: Sequence[str], references: Sequence[Sequence[str]], language: str) -> int:
    """Words that the last thirds of the translation and of a reference share, each as often as both have it; of the
    reference with the most."""
    end = _last_third(target, language)
    return max((end & _last_third(reference, language)).total() for reference in references)


def _last_third(words: Sequence[str], language: str) -> Counter[str]:
    return Counter(fold(words[2 * len(words) // 3 :], language))


def _over_translated(
    target: Sequence[str], links: Sequence[int], references: Sequence[Sequence[str]], language: str
) -> tuple[int, ...]:
    words = fold(target, language)
    allowed: Counter[str] = Counter()
    for reference in references:
        allowed |= Counter(fold(reference, language))
    number, said, found = Counter(words), set(), []
    for i, pair in enumerate(zip(links, words, strict=True)):
        link, word = pair
        if link != NO_LINK and pair in said and number[word] > allowed[word]:
            found.append(i)
        said.add(pair)
    return tuple(found)


def _attended_end(translation: Translation) -> int:
    """Source position that the end of the translation looks at, the source's own end among them; so too if cut off."""
    length = len(translation.source)
    ended = len(translation.weights) > len(translation.target)
    return int(translation.weights[-1].argmax()) if ended else length


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
    # References may be running text. The set's own target side is the first one in words; the others are made so.
    own = read_lines(study.text.folder / f"{test.name}.{study.text.target}")
    parted = single_spaced if study.stats["tokenised"] else tokeniser(study.text.target)
    words = []
    for k, (line, target, references) in enumerate(zip(test.source, own, test.references, strict=True)):
        source = line.split(" ")
        content = content_words(source, classes[k] if classes else None)
        in_words = [each.split(" ") for each in (target, *map(parted, references[1:]))]
        words.append(SentenceWords(source, in_words, content))
    return words


def sentence_scores(study: StudyResults, test: SentenceSet, words: Sequence[SentenceWords]) -> StudyScores:
    """Of every variant of `test`, in the order of the tables."""
    found = {}
    for variant, side in test.sides.items():
        lacks = [
            min(map(len, sentence.references)) - len(each.target)
            for each, sentence in zip(side.translations, words, strict=True)
        ]
        bleu, whole = _numbers(side.values["bleu"]), _whole(study, variant)["tests"][test.name]["bleu"]
        errors = _errors(side.translations, words, study.text.target)
        found[variant] = SystemScores(bleu, whole, np.array(lacks), errors)
    return found


def alignments(study: StudyResults, gold: SentenceSet) -> dict[str, Aligned]:
    """Of every variant that attends, in the order of the tables; SMT's links are not its decoder's."""
    return {
        variant: Aligned(_numbers(side.values["aer"]), _whole(study, variant)["aer"])
        for variant, side in gold.sides.items()
        if "aer" in side.values and side.translations[0].attention is not None
    }


def _errors(
    translations: Sequence[Translation], words: Sequence[SentenceWords], language: str
) -> list[AttentionErrors] | None:
    if translations[0].attention is None:  # a file has attention for all sentences or for none
        return None
    return [
        attention_errors(each, sentence.references, sentence.content, language)
        for each, sentence in zip(translations, words, strict=True)
    ]


def _numbers(values: Values) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values])


def _whole(study: StudyResults, variant: str) -> dict[str, Any]:
    """What the first seed has, of whole sets."""
    return study.document["systems"][variant]["seeds"][str(study.spec.seeds[0])]
