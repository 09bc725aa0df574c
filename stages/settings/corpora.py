"""Typed settings of the corpus and bpe stages. There are no defaults here: every value stands in params.yaml."""

from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from stages.settings.names import repeated
from stages.settings.params import Count, Seed, Settings
from stages.text.languages import rules_of, without_region
from stages.text.scripts import KNOWN

Language = Annotated[str, BeforeValidator(without_region), Field(pattern=r"^[a-z]{2,3}$")]


def _not_reserved(name: str) -> str:
    if name in ("train", "dev", "gold"):
        raise ValueError(f"a test set cannot be named {name!r}; choose another name")
    return name


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    if twice := repeated(names):
        raise ValueError(f"{twice} stands there twice; name each once")
    return names


LONGEST_PATH = 4095  # of Linux


def _one_line(path: Path) -> Path:
    if not path.name.strip() or not str(path).isprintable() or len(str(path)) > LONGEST_PATH:
        raise ValueError("it is no path of a file; write one in one line")
    return path


File = Annotated[Path, AfterValidator(_one_line)]
TestName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{1,64}$"), AfterValidator(_not_reserved)]
Length = Annotated[int, Field(ge=1, le=10_000)]
"""Words of a sentence."""
Multi30kTest = Literal["test_2016_flickr", "test_2017_flickr", "test_2017_mscoco"]


class MismatchedPairs(Settings):
    """Which training pairs are dropped because they cannot translate each other.

    script: a side that is not written in the letters of its language, or Latin text with Han characters in it.
    undecoded: a side with U+FFFD, which programs write for bytes that they could not decode.
    ratio: one side has more than so many times the words of the other; null: any length will do.
    """

    script: bool
    undecoded: bool
    ratio: Annotated[float, Field(ge=1, le=10_000)] | None


class TextDefaults(Settings):
    """``defaults.text``: the settings that every kind of corpus has beside its languages."""

    limit: Count | None  # train pairs, drawn deterministically from those that pass the filters
    match_lengths_of: Literal["gold"] | None  # the lengths of the pairs that `limit` draws; null: as they come
    max_length: Length  # train pairs with more words on either side are dropped
    distinct: bool  # no train pair twice
    mismatched_pairs: MismatchedPairs | None  # null: none is looked for
    lowercase: bool  # the text that is trained on; references keep their case


class _Common(TextDefaults):
    source: Language
    target: Language

    @model_validator(mode="after")
    def _two_languages(self) -> Self:
        if self.source == self.target:
            raise ValueError(f"source and target are both {self.source!r}; name two languages")
        return self

    @model_validator(mode="after")
    def _filters_that_work(self) -> Self:
        if self.match_lengths_of is not None and self.limit is None:
            raise ValueError(
                "match_lengths_of says which pairs limit draws, but limit is null; set limit, or set it to null too"
            )
        unknown = [language for language in (self.source, self.target) if rules_of(language) not in KNOWN]
        if self.mismatched_pairs is not None and self.mismatched_pairs.script and unknown:
            raise ValueError(f"mismatched_pairs.script knows no letters of {', '.join(unknown)}; set it to false")
        return self


class DemoSettings(_Common):
    """The embedded generator: how many pairs of each set, and its seed."""

    kind: Literal["demo"]
    source: Literal["zh"]
    target: Literal["en"]
    train: Count
    dev: Count
    test: Count
    gold: Count
    seed: Seed


class LocalSet(Settings):
    """A dev or test set. A list is several references for one side; the first of them is the set's text."""

    source: File | Annotated[tuple[File, ...], Field(min_length=1)]
    target: File | Annotated[tuple[File, ...], Field(min_length=1)]

    @property
    def files(self) -> tuple[Path, ...]:
        """Of both sides."""
        sides = (self.source, self.target)
        return tuple(path for side in sides for path in (side if isinstance(side, tuple) else (side,)))


class LocalGold(Settings):
    """Hand-aligned pairs: two files of white-space tokens, and the links that index them (`i-j`, `i?j`, 0-based).

    counted_from: not written unless no link is at 0 and they are counted from 0 nevertheless.
    """

    source: File
    target: File
    align: File
    counted_from: Literal[0] | None = None


class LocalSettings(_Common):
    """A user's own files, as `stages.corpora.local` reads them; paths are relative to the folder of params.yaml."""

    kind: Literal["local"]
    train: tuple[File, File]
    dev: LocalSet
    tests: Annotated[dict[TestName, LocalSet], Field(min_length=1)]
    gold: LocalGold | None
    tokenised: bool

    @property
    def held_out(self) -> dict[str, tuple[Path, ...]]:
        """The files of every set but the training text."""
        files = {name: one.files for name, one in {"dev": self.dev, **self.tests}.items()}
        return files | ({"gold": (self.gold.source, self.gold.target, self.gold.align)} if self.gold else {})

    @property
    def files(self) -> tuple[Path, ...]:
        """All that the corpus is read from."""
        return (*self.train, *chain(*self.held_out.values()))


class Multi30kSettings(_Common):
    """Multi30k task 1, English and German."""

    kind: Literal["multi30k"]
    source: Literal["de", "en"]
    target: Literal["de", "en"]
    tests: Annotated[tuple[Multi30kTest, ...], Field(min_length=1), AfterValidator(_each_once)]


class LongPairs(Settings):
    """A part of a test set of long sentences: how many words their source has, from and to, and how many pairs."""

    words: tuple[Length, Length]
    pairs: Count

    @model_validator(mode="after")
    def _some_length(self) -> Self:
        shortest, longest = self.words
        if shortest > longest:
            raise ValueError(f"words are from {shortest} to {longest}; exchange them")
        return self


class HansardsSettings(_Common):
    """WPT 2003 Hansards; `dev` and `test` are the numbers of pairs held out from the training text.

    target_ratio: the target of a held-out pair has at most this many times the words that its source may have; not
    written where it is 1, so that results released before it stay of the same settings.
    """

    kind: Literal["hansards"]
    source: Literal["en"]
    target: Literal["fr"]
    dev: Count
    test: Count
    long_test: Annotated[tuple[LongPairs, ...], Field(min_length=1)] | None  # held out too; null: none
    target_ratio: Annotated[float, Field(ge=1, le=100)] = 1.0


TrainPart = Literal["tvsub", "news_commentary", "tatoeba", "3am"]
HeldOut = Literal[
    "tvsub_dev", "tvsub_test", "3am_dev", "3am_test", "newstest2017", "newstest2018", "newstest2019", "newstest2020"
]


class MixPart(Settings):
    """A corpus that training text is taken from; limit: pairs drawn from those that pass the filters, null: all."""

    corpus: TrainPart
    limit: Count | None


class MixSet(Settings):
    """A published dev or test set, or `limit` pairs drawn from it, with at most `max_length` words a side."""

    set: HeldOut
    limit: Count | None
    max_length: Length | None


class MixSettings(_Common):
    """Public Chinese-English corpora together."""

    kind: Literal["mix"]
    source: Literal["zh"]
    target: Literal["en"]
    train: Annotated[tuple[MixPart, ...], Field(min_length=1)]
    dev: MixSet
    tests: Annotated[dict[TestName, MixSet], Field(min_length=1)]
    gold: Literal["tsinghua"] | None

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        sets = (self.dev, *self.tests.values())
        _each_once((*(part.corpus for part in self.train), *(one.set for one in sets)))
        return self


CorpusSettings = Annotated[
    DemoSettings | LocalSettings | Multi30kSettings | HansardsSettings | MixSettings, Field(discriminator="kind")
]


class WordVocabulary(Settings):
    """How many words, the most frequent, a vocabulary holds; null: all of the training text. Sides of the corpus."""

    source: Count | None
    target: Count | None


class BpeDropout(Settings):
    """BPE-dropout of the training text (Provilkov et al. 2020): each merge is left out with this probability."""

    probability: Annotated[float, Field(gt=0, lt=1)]
    seed: Seed


class SegmentationSettings(Settings):
    """What the tokens of a corpus are.

    merges, joint, vocabulary_threshold: of byte pair encoding: number of merges, one table for both languages or two,
    rarest piece that is kept whole.
    bpe_dropout: of the training text; not written where there is none, so that results released before it stay of the
    same settings.
    word_vocabulary: with `segmentation: words`, where each side has a vocabulary of its own, whatever `joint` says.
    """

    merges: Annotated[int, Field(ge=1, le=10**6)]
    joint: bool
    vocabulary_threshold: Annotated[int, Field(ge=0, le=10**8)]
    word_vocabulary: WordVocabulary
    bpe_dropout: BpeDropout | None = None
