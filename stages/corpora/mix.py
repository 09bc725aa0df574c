"""Public Chinese-English corpora together: training text of several, dev and test sets of others, a gold set.

All text is raw and tokenised here, in one way: Chinese by jieba, English by Moses' tokeniser, quotation marks straight.
References stay as they are published; TVsub's, which are tokenised, are put back into running text. The gold set keeps
the words that its links count.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from stages.corpora.chinese import straight
from stages.corpora.download import Publication, Sources, provide
from stages.corpora.gold_set import GoldSet
from stages.corpora.local import read_gold_set
from stages.corpora.parallel import ParallelSet, Sentence, length
from stages.corpora.raw_corpus import Corpus, Part
from stages.corpora.sampling import draw
from stages.corpora.tokenise import tokeniser
from stages.corpora.zh_en import news_commentary, newstest, tatoeba, three_am, tsinghua, tvsub
from stages.files.errors import InputError
from stages.files.text import check_counts, iter_parallel, read_lines
from stages.settings.corpora import LocalGold, MixPart, MixSet, MixSettings
from stages.text.detokenise import detokenise

LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Published:
    """A dev or test set: names of its Chinese text and of its English references; tokenised: these are, and escaped."""

    corpus: str
    zh: str
    en: tuple[str, ...]
    tokenised: bool = False


PUBLICATIONS = {
    "tvsub": tvsub.PUBLICATION,
    "news_commentary": news_commentary.PUBLICATION,
    "tatoeba": tatoeba.PUBLICATION,
    "3am": three_am.PUBLICATION,
    "newstest": newstest.PUBLICATION,
    "tsinghua": tsinghua.PUBLICATION,
}
HELD_OUT = {
    "tvsub_dev": Published("tvsub", "dev.zh", ("dev.tok.en",), tokenised=True),
    "tvsub_test": Published(
        "tvsub", "test.zh", ("test.tok.en.ref0", "test.tok.en.ref1", "test.tok.en.ref2"), tokenised=True
    ),
    "3am_dev": Published("3am", "dev.zh", ("dev.en",)),
    "3am_test": Published("3am", "test.zh", ("test.en",)),
    **{
        f"newstest{year}": Published("newstest", f"newstest{year}.zh", (f"newstest{year}.en",))
        for year in (2017, 2018, 2019, 2020)
    },
}
HYPHEN = re.compile(r"(?<=\w) @-@ (?=\w)")
"""The Moses tokeniser's mark of a hyphen within a word; elsewhere the same mark is a dash of dialogue."""


def load(settings: MixSettings, sources: Sources, publications: Mapping[str, Publication] = PUBLICATIONS) -> Corpus:
    """The corpora of `settings`; the training text is read only while it is iterated over.

    Raises:
        InputError: as `provide`; a set of which nothing is left below its `max_length`.
    """
    find = partial(_find, publications, sources)
    words = Words()
    return Corpus(
        train=tuple(_part(part, words, find) for part in settings.train),
        dev=_held_out(settings.dev, words, find),
        tests={name: _held_out(one, words, find) for name, one in settings.tests.items()},
        gold=None if settings.gold is None else _gold(find),
        tokenised=False,
        held_out=0,
        straight=True,
    )


Find = Callable[[str, tuple[str, ...]], list[Path]]


def _find(publications: Mapping[str, Publication], sources: Sources, corpus: str, names: tuple[str, ...]) -> list[Path]:
    files = provide(publications[corpus], names, sources)
    return [files[name] for name in names]


class Words:
    """Turns pairs of raw lines into sentences."""

    def __init__(self) -> None:
        self._chinese, self._english = map(tokeniser, LANGUAGES)

    def __call__(self, pair: tuple[str, str]) -> Sentence:
        return Sentence(self._chinese(pair[0]), self._english(straight(pair[1])))


@dataclass(frozen=True)
class RawPairs:
    """Two parallel files as pairs of raw lines; every iteration streams the files anew."""

    source: Path
    target: Path

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter_parallel(self.source, self.target, allow_empty=True)


def _part(part: MixPart, words: Words, find: Find) -> Part:
    files = find(part.corpus, tuple(f"train.{language}" for language in LANGUAGES))
    return Part(part.corpus, RawPairs(*files), words, part.limit)


def _held_out(one: MixSet, words: Words, find: Find) -> ParallelSet:
    published = HELD_OUT[one.set]
    chinese, *english = map(read_lines, paths := find(published.corpus, (published.zh, *published.en)))
    check_counts(*((path, len(lines)) for path, lines in zip(paths, (chinese, *english), strict=True)))
    if published.tokenised:
        english = [tuple(_running(lines)) for lines in english]
    numbered = [(k, words(pair)) for k, pair in enumerate(zip(chinese, english[0], strict=True))]
    if one.max_length is not None:
        numbered = [
            (k, pair) for k, pair in numbered if max(length(pair.source), length(pair.target)) <= one.max_length
        ]
    if one.limit is not None:
        numbered = draw(numbered, one.limit, f"set {one.set}")
    if not numbered:
        raise InputError(f"{one.set}: no pair has at most {one.max_length} words a side; raise its max_length")
    source, *target = (tuple(lines[k] for k, _ in numbered) for lines in (chinese, *english))
    return ParallelSet(tuple(pair for _, pair in numbered), (source,), tuple(target))


def _running(lines: tuple[str, ...]) -> list[str]:
    """Running text of what the Moses tokeniser made, with its escapes and its `@-@` for hyphens."""
    texts = (HYPHEN.sub("-", html.unescape(line)).replace("@-@", "-") for line in lines)
    return detokenise([text.split() for text in texts], "en")


def _gold(find: Find) -> GoldSet:
    source, target, align = find("tsinghua", ("gold.zh", "gold.en", "gold.align"))
    return read_gold_set(LocalGold(source=source, target=target, align=align))
