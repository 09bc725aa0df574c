"""A tagger learned from tagged text: each word's most frequent class, whatever stands around it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.text import iter_lines, write_lines
from stages.tagging.classes import CLASSES
from stages.tagging.numerals import DATE, NUMERAL
from stages.text.symbols import UNKNOWN

RULE = (
    "each word's most frequent class in the tagged training text; of unknown words, numbers are CD, dates in Chinese "
    "NT, words known in lower case that class, other capitalised words NR, and the rest what most different words are"
)
TaggedSentence = tuple[Sequence[str], Sequence[str]]  # words, their classes


class Accuracy(NamedTuple):
    """In percent of `words`; `correct_unknown` is None without unknown words."""

    words: int
    known: float
    correct: float
    correct_unknown: float | None


class WordClasses:
    """A tagger. `table`: word -> class; its entry `<unk>` is for unknown words whose form says nothing."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return [list(map(self.class_of, sentence)) for sentence in sentences]

    def class_of(self, word: str) -> str:
        """The class of a word by `RULE`."""
        return (
            self.table.get(word)
            or _of_form(word)
            or self.table.get(word.lower())
            or ("NR" if word[0].isupper() else self.table[UNKNOWN])
        )

    def accuracy(self, sentences: Iterable[TaggedSentence]) -> Accuracy:
        """How often `class_of` is right on text that nothing was learned from; at least one word."""
        counts = Counter(
            (word in self.table, self.class_of(word) == name)
            for words, names in sentences
            for word, name in zip(words, names, strict=True)
        )
        unknown = counts[False, True] + counts[False, False]
        total = counts.total()
        return Accuracy(
            total,
            _percent(total - unknown, total),
            _percent(counts[True, True] + counts[False, True], total),
            _percent(counts[False, True], unknown) if unknown else None,
        )


def _of_form(word: str) -> str | None:
    if NUMERAL.fullmatch(word):
        return "CD"
    return "NT" if DATE.fullmatch(word) else None


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def learn(sentences: Iterable[TaggedSentence]) -> WordClasses:
    """The tagger that tagged text teaches; of classes equally frequent, the one seen first."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, names in sentences:
        for word, name in zip(words, names, strict=True):
            counts[word][name] += 1
    table = {word: names.most_common(1)[0][0] for word, names in counts.items()}
    plain = Counter(name for word, name in table.items() if not (_of_form(word) or word[0].isupper()))
    return WordClasses({UNKNOWN: plain.most_common(1)[0][0] if plain else "NN"} | table)


def write(path: Path, tagger: WordClasses) -> None:
    """`word<TAB>class`, a word a line."""
    write_lines(path, (f"{word}\t{name}" for word, name in tagger.table.items()))


def read(path: Path) -> WordClasses:
    """What `write` wrote.

    Raises:
        InputError: the file is missing, or a line is not a word and a class.
    """
    table = {}
    for number, line in enumerate(iter_lines(path), 1):
        word, _, name = line.rpartition("\t")
        if not word or name not in CLASSES:
            raise InputError(f"{path}, line {number}: not a word and a class: {line}; delete it and run `dvc repro`")
        table[word] = name
    if UNKNOWN not in table:
        raise InputError(f"{path} has no line for {UNKNOWN}; delete it and run `dvc repro`")
    return WordClasses(table)
