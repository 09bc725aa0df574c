"""A trained system, and where what it takes to use it lies."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory, lexicon_of
from stages.files.text import iter_lines
from stages.releasing.model_file import COUNTS, MODEL, AboutModel
from stages.releasing.translations import CONTROL
from stages.settings.corpora import SegmentationSettings
from stages.settings.languages import Direction, languages
from stages.settings.params import read, section
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import Study
from stages.settings.titles import titles_of
from stages.settings.training import Decoding
from stages.text.words import count_words


class Chosen(NamedTuple):
    """A system of a study, trained with one seed.

    pair: source and target language. threshold: the vocabulary threshold of its sub-words. corpus, wordalign, data:
    folders of these stages (binarize), or the one with a model file's content; codes: where the merges of the source
    language may stand, none where words are not cut; file: the model file, None for a system of this machine;
    control: where the evaluation of a system of `decoded` says how it searches, None for any other one.
    """

    variant: str
    title: str
    seed: int
    study: str
    corpus_name: str
    direction: Direction
    pair: tuple[str, str]
    decoding: Decoding
    scoring: ScoreSettings
    threshold: int
    corpus: Path
    wordalign: Path
    data: Path
    codes: tuple[Path, ...]
    model: Path
    file: Path | None = None
    control: Path | None = None

    @property
    def lexicon(self) -> Path | None:
        """What unknown words are looked up in, if they are."""
        if not self.scoring.unk_replace.startswith("lexical"):
            return None
        return self.wordalign / lexicon_of(self.direction)

    @property
    def searched_by(self) -> str:
        """What says how it searches."""
        return f"corpora.{self.corpus_name}.decoding" if self.file is None else f"the search of {self.file}"

    def __str__(self) -> str:
        where = f"trained here, {self.model.parent}" if self.file is None else str(self.file)
        return f"{self.title}, seed {self.seed}, {' -> '.join(self.pair)}: {where}"

    def counts(self) -> Counter[str]:
        """How often each source word stands in the training text."""
        if self.file is None:
            return count_words(iter_lines(self.corpus / f"train.{self.pair[0]}"))
        rows = (line.rpartition("\t") for line in iter_lines(self.corpus / COUNTS))
        return Counter({word: int(count) for word, _, count in rows})

    def missing(self) -> Iterator[Path]:
        """Of what it takes."""
        data = [self.data / f"dict.{language}.txt" for language in self.pair]
        lexicon = [self.lexicon] if self.lexicon else []
        yield from (path for path in (self.model, self.corpus / "stats.json", *data, *lexicon) if not path.exists())
        if self.control and not self.control.exists():
            yield self.control
        if self.codes and not any(path.exists() for path in self.codes):
            yield self.codes[-1]


def run_directory(of: Study) -> RunDirectory:
    """Where the stages of a study leave what belongs to its systems."""
    return RunDirectory(Path(of.run))


def of_study(of: Study, name: str, seed: int) -> Chosen:
    """The system `name` of a study, as the stages leave it on this machine, trained yet or not."""
    corpus, pair = f"corpora.{of.corpus}", languages(of.corpus, of.direction)
    run = run_directory(of)
    return Chosen(
        variant=name,
        title=titles_of([name], read())[name],
        seed=seed,
        study=of.study,
        corpus_name=of.corpus,
        direction=of.direction,
        pair=pair,
        decoding=section(f"{corpus}.decoding", Decoding),
        scoring=section(f"{corpus}.score", ScoreSettings),
        threshold=section(f"{corpus}.segmentation", SegmentationSettings).vocabulary_threshold,
        corpus=run.of_corpus.text,
        wordalign=run.of_corpus.wordalign,
        data=run.data,
        codes=_codes(run.tokens, of.segmentation, pair[0]),
        model=run.model(name, seed) / "model.pt",
        control=run.translations(name, seed) / CONTROL if name in of.decoded else None,
    )


def of_file(file: Path, about: AboutModel, folder: Path) -> Chosen:
    """The system of a model file, whose content lies in `folder`.

    Raises:
        InputError: it lacks something.
    """
    chosen = Chosen(
        variant=about.variant,
        title=about.title,
        seed=about.seed,
        study=about.study,
        corpus_name=about.corpus,
        direction=about.direction,
        pair=about.languages,
        decoding=about.decoding,
        scoring=about.score,
        threshold=about.threshold,
        corpus=folder,
        wordalign=folder,
        data=folder,
        codes=_codes(folder, about.segmentation, about.languages[0]),
        model=folder / MODEL,
        file=file,
    )
    counts = [folder / COUNTS] if about.threshold else []
    for path in (*chosen.missing(), *(path for path in counts if not path.exists())):
        raise InputError(f"{file} lacks {path.name}; get it again")
    return chosen


def _codes(folder: Path, segmentation: str, language: str) -> tuple[Path, ...]:
    """One table for both languages, or the language's own."""
    return () if segmentation == "words" else (folder / "codes", folder / f"codes.{language}")
