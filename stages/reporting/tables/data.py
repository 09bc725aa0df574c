"""The text that the systems learn from and are measured on."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.files.run_directory import RunDirectory
from stages.files.text import iter_lines
from stages.reporting import recipe
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured
from stages.reporting.tables.table import MISSING, Cell, ReportTable, Table, percent, ratio
from stages.scoring.vocabulary import read_vocabulary
from stages.text.words import count_words

PIECES = ("Set", "pieces", "different pieces", "pieces per word", "unknown to the model (%)")


def vocabularies(data: Path, languages: Sequence[str]) -> dict[str, frozenset[str]]:
    """Language -> the pieces that the systems can tell apart, see `read_vocabulary`."""
    return {language: read_vocabulary(data, language) for language in languages}


def vocabulary_table(known: Mapping[str, frozenset[str]]) -> Table:
    """A row a language. known: of `vocabularies`."""
    rows = tuple((language, (number_cell(len(pieces)),)) for language, pieces in known.items())
    return Table(("Language", "pieces in the vocabulary"), rows)


def pieces_table(bpe: Path, words: Mapping[str, Mapping[str, int]], known: Mapping[str, frozenset[str]]) -> Table:
    """A row a set and language. bpe: folder of the bpe stage; words: set -> language -> running words."""
    rows = tuple(
        (f"{name}, {language}", _piece_cells(iter_lines(bpe / f"{name}.{language}"), running, known[language]))
        for name, of in words.items()
        for language, running in of.items()
    )
    return Table(PIECES, rows)


def _piece_cells(lines: Iterable[str], words: int, known: frozenset[str]) -> tuple[Cell, ...]:
    pieces = count_words(lines)
    running = pieces.total()
    unknown = 100 * sum(count for piece, count in pieces.items() if piece not in known) / running
    return (
        number_cell(running),
        number_cell(len(pieces)),
        Cell(ratio(running / words), number=running / words),
        Cell(percent(unknown), number=unknown),
    )


def number_cell(value: int) -> Cell:
    return Cell(f"{value:,}", number=value)


HEADINGS = ("Set", "pairs", "words", "different words", "known in train (%)", "mean length", "longest")
LEFT_OUT = {
    "read": "read",
    "held_out": "held out for dev and test",
    "empty": "with an empty side",
    "too_long": "too long",
    "separator": "with the separator of pieces",
    "undecoded": "with characters that were not decoded",
    "other_script": "not in the letters of their language",
    "unequal_length": "with sides of too unequal length",
    "overlap": "also in dev, test or gold",
    "repeated": "the same as a pair before",
    "over_limit": "over the limit",
    "kept": "kept",
}
"""What the record of the corpus counts of the pairs of train."""


def data(study: StudyResults, measured: Measured) -> ReportTable:
    """A row a set and language in words and in pieces, the vocabularies, and what became of the pairs read."""
    about, languages = study.stats, (study.stats["source"], study.stats["target"])
    known = {language: count_words(iter_lines(study.text.folder / f"train.{language}")) for language in languages}
    rows = tuple(
        (f"{name}, {language}", _cells(study.text.folder, name, language, found, known[language]))
        for name, found in about["sets"].items()
        for language in languages
    )
    counts = {LEFT_OUT.get(key, key): value for key, value in about["train_pairs"].items()}
    vocabulary = vocabularies(RunDirectory(study.folders.run_directory).data, languages)
    words = {name: found["tokens"] for name, found in about["sets"].items()}
    became = Table(
        ("what became of them", "pairs"), tuple((name, (number_cell(value),)) for name, value in counts.items())
    )
    return ReportTable(
        name="data",
        title="Data",
        about="Sentence pairs and words of every set, the share of its running words that train has too, and lengths "
        "in words; the same text in pieces, as the systems see it, and the share of the running pieces that their "
        "vocabulary lacks.",
        mirrors="the papers' sections on data",
        parts={
            "Sets": Table(HEADINGS, rows),
            "Pieces": pieces_table(RunDirectory(study.folders.run_directory).tokens, words, vocabulary),
            "Vocabulary of the systems": vocabulary_table(vocabulary),
            "Pairs read for train": became,
        },
        notes=(
            f"corpus {about['corpus']}",
            f"lower-cased: {'yes' if about['lowercase'] else 'no'}",
            *_round_trip(about),
            *recipe.short(study.document["recipe"], ("train_text", "references", "segmentation", "vocabulary")),
            "a vocabulary is learnt from train; special symbols (unknown, end of sentence, …) are not counted in it",
        ),
    )


def _round_trip(stats: Mapping[str, Any]) -> list[str]:
    """What a perfect system would have, where references are running text."""
    found = stats.get("round_trip", {})
    best = [f"{of[language]['bleu']:.1f} in {name}, {language}" for name, of in found.items() for language in of]
    return [f"best that can be reached (BLEU of references, tokenised and put back): {'; '.join(best)}"] if best else []


def _cells(
    folder: Path, name: str, language: str, found: Mapping[str, Any], known: Mapping[str, int]
) -> tuple[Cell, ...]:
    words = known if name == "train" else count_words(iter_lines(folder / f"{name}.{language}"))
    share = 100 * sum(count for word, count in words.items() if word in known) / sum(words.values())
    mean, longest = found["mean_length"][language], found["max_length"][language]
    return (
        number_cell(found["pairs"]),
        number_cell(found["tokens"][language]),
        number_cell(len(words)),
        Cell(MISSING) if name == "train" else Cell(percent(share), number=share),
        Cell(percent(mean), number=mean),
        number_cell(longest),
    )
