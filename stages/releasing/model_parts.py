"""Brings together what a model file holds of a system that was trained here."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stages.files.corpus_record import FILE
from stages.files.errors import InputError
from stages.files.records import read_json, read_record
from stages.files.run_directory import MANIFEST, RunDirectory, lexicon_of
from stages.files.text import iter_lines
from stages.releasing.about import code_sums, settings_now, text_now
from stages.releasing.half_precision import halved
from stages.releasing.model_file import COUNTS, MODEL
from stages.settings.corpora import SegmentationSettings
from stages.settings.languages import languages
from stages.settings.params import read, section
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import StudySystems
from stages.settings.titles import titles_of
from stages.settings.training import Decoding
from stages.text.words import count_words

MEASURES = ("bleu", "bleu_cased", "chrf", "ter")
"""Of each test set, as the score stage measured them with the whole weights."""


def about_model(study: StudySystems, variant: str, seed: int, commit: str) -> dict[str, Any]:
    """What is said of the system: `AboutModel` without its files, and where the model comes from."""
    base = study.bases.get(variant)
    run = RunDirectory(Path(study.run))
    scores = read_record(run.scores(variant, seed) / "scores.json", ("tests",))
    return {
        "study": study.study,
        "title": titles_of([variant], read())[variant],
        "corpus": study.corpus,
        "direction": study.direction,
        "segmentation": study.segmentation,
        "languages": languages(study.corpus, study.direction),
        "threshold": _segmentation(study).vocabulary_threshold,
        "decoding": section(f"corpora.{study.corpus}.decoding", Decoding).model_dump(),
        "score": section(f"corpora.{study.corpus}.score", ScoreSettings).model_dump(),
        "scores": {name: {key: each[key] for key in MEASURES} for name, each in scores["tests"].items()},
        "training": read_json(run.model(variant, seed) / "training.json"),
        **settings_now(study.corpus, variant, seed, base),
        **text_now(run.tokens, run.of_corpus.text),
        "code": code_sums(MANIFEST, variant),
        "commit": commit,
    }


def files_of_model(study: StudySystems, variant: str, seed: int) -> dict[str, bytes]:
    """The files, by their name in the model file.

    Raises:
        InputError: one of them is missing, or a weight is beyond half precision.
    """
    run = RunDirectory(Path(study.run))
    text = run.of_corpus.text
    source, target = languages(study.corpus, study.direction)
    files = {FILE: _bytes(text / FILE)}
    files |= {name: _bytes(run.data / name) for name in dict.fromkeys(f"dict.{one}.txt" for one in (source, target))}
    if study.segmentation != "words":
        codes = run.tokens / "codes"
        codes = codes if codes.exists() else run.tokens / f"codes.{source}"
        files[codes.name] = _bytes(codes)
        if _segmentation(study).vocabulary_threshold:
            counts = sorted(count_words(iter_lines(text / f"train.{source}")).items())
            files[COUNTS] = "".join(f"{word}\t{count}\n" for word, count in counts).encode()
    if section(f"corpora.{study.corpus}.score", ScoreSettings).unk_replace.startswith("lexical"):
        lexicon = run.of_corpus.wordalign / lexicon_of(study.direction)
        files[lexicon.name] = "".join(f"{line}\n" for line in _best(lexicon)).encode()
    return files | {MODEL: halved(run.model(variant, seed) / "model.pt")}


def _segmentation(study: StudySystems) -> SegmentationSettings:
    return section(f"corpora.{study.corpus}.segmentation", SegmentationSettings)


def _best(lexicon: Path) -> Iterator[str]:
    """The first line of each word, which is what unknown words are replaced by."""
    seen: set[str] = set()
    for line in iter_lines(lexicon):
        word = line.partition("\t")[0]
        if word not in seen:
            seen.add(word)
            yield line


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); `make repro` makes it") from None
