"""What all corpora share: the filters of the training text, and the corpus folder on disk."""

import heapq
import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from stages.corpora.gold import Gold
from stages.corpora.parallel import ParallelSet, Sentence, length
from stages.files.atomic import new_folder
from stages.files.corpus_record import write_corpus_record
from stages.files.errors import InputError
from stages.files.text import write_lines

SEPARATOR = "@@"  # marks a piece that goes on; a word of the corpus must not end in it


@dataclass(frozen=True)
class Corpus:
    """Parallel text before the filters. `train` is streamed; `held_out` counts pairs taken from it for dev and test."""

    train: Iterable[Sentence]
    dev: ParallelSet
    tests: Mapping[str, ParallelSet]
    gold: Gold | None
    tokenised: bool  # the references are tokenised text, not raw text
    held_out: int


@dataclass(frozen=True)
class Filters:
    """What is kept of the training text."""

    max_length: int
    limit: int | None


def key(line: str) -> str:
    """What two lines share that are the same sentence: NFKC, lower case, no white space."""
    folded = (line if line.isascii() else unicodedata.normalize("NFKC", line)).lower()
    return folded.replace(" ", "") if folded.isprintable() else "".join(folded.split())


def held_out_keys(corpus: Corpus) -> tuple[set[str], set[str]]:
    """Keys of every source side and every target side (all references) of dev, the test sets and gold."""
    source, target = set(), set()
    for part in (corpus.dev, *corpus.tests.values()):
        for lines in ([pair.source for pair in part.sentences], *part.source_references):
            source.update(map(key, lines))
        for lines in ([pair.target for pair in part.sentences], *part.target_references):
            target.update(map(key, lines))
    if corpus.gold is not None:
        source.update(key(pair.source) for pair in corpus.gold.sentences)
        target.update(key(pair.target) for pair in corpus.gold.sentences)
    return source, target


def draw(sentences: Iterable[Sentence], count: int, purpose: str) -> list[Sentence]:
    """`count` of `sentences` (all, if there are fewer), in their order; the same ones on every run and machine.

    One random number a sentence, seeded with `purpose`; the smallest win. A larger count therefore draws a superset.
    """
    numbers = random.Random(purpose)
    drawn = heapq.nsmallest(count, ((numbers.random(), k, pair) for k, pair in enumerate(sentences)))
    return [pair for _, _, pair in sorted(drawn, key=lambda entry: entry[1])]


def select_train(corpus: Corpus, filters: Filters) -> tuple[list[Sentence], dict[str, int]]:
    """The training pairs that pass the filters, and how many were read, dropped for which reason, and kept."""
    source_keys, target_keys = held_out_keys(corpus)
    counts: Counter[str] = Counter()

    def passing() -> Iterator[Sentence]:
        for pair in tqdm(corpus.train, desc="filtering train", unit=" pairs", disable=None):
            counts["read"] += 1
            if max(length(pair.source), length(pair.target)) > filters.max_length:
                counts["too_long"] += 1
            elif _has_separator(pair.source) or _has_separator(pair.target):
                counts["separator"] += 1
            elif key(pair.source) in source_keys or key(pair.target) in target_keys:
                counts["overlap"] += 1
            else:
                counts["passed"] += 1
                yield pair

    kept = list(passing()) if filters.limit is None else draw(passing(), filters.limit, "limit")
    if not kept:
        raise InputError(
            f"no training pair is left of {counts['read']} ({counts['too_long']} too long, {counts['overlap']} also in "
            "dev, test or gold); raise max_length or change the files"
        )
    return kept, {
        "read": counts["read"] + corpus.held_out,
        "held_out": corpus.held_out,
        "too_long": counts["too_long"],
        "separator": counts["separator"],
        "overlap": counts["overlap"],
        "over_limit": counts["passed"] - len(kept),
        "kept": len(kept),
    }


def write_corpus(
    corpus: Corpus, name: str, languages: tuple[str, str], filters: Filters, lowercase: bool, out: Path
) -> None:
    """Filter `corpus` and write its folder `out`, whole or not at all.

    Files: `<set>.<lang>`, `<set>.ref<k>.<lang>` (dev and tests), `<set>.pos.<lang>` (where the corpus has tags),
    `gold.align`, `stats.json`. `lowercase` applies to the texts, not to the references.

    Raises:
        InputError: a held-out set with a word that ends in the sub-word separator, nothing left to train on, or a
            folder that cannot be written.
    """
    train, dropped = select_train(corpus, filters)
    held_out = {"dev": corpus.dev, **corpus.tests}
    sets = {"train": train} | {part: held_out[part].sentences for part in held_out}
    if corpus.gold is not None:
        sets["gold"] = corpus.gold.sentences
    for part, sentences in sets.items():
        _check_separator(part, sentences)
    with new_folder(out) as folder:
        statistics = {}
        for part, sentences in sets.items():
            texts = [[pair[side] for pair in sentences] for side in (0, 1)]
            tags = [[pair[side] for pair in sentences] for side in (2, 3)]
            for language, lines, line_tags in zip(languages, texts, tags, strict=True):
                write_lines(folder / f"{part}.{language}", map(str.lower, lines) if lowercase else lines)
                if None not in line_tags:
                    write_lines(folder / f"{part}.pos.{language}", line_tags)
            statistics[part] = _statistics(languages, texts)
        for part, held in held_out.items():
            sides = (held.source_references, held.target_references)
            for language, references in zip(languages, sides, strict=True):
                for k, lines in enumerate(references):
                    write_lines(folder / f"{part}.ref{k}.{language}", lines)
        if corpus.gold is not None:
            write_lines(folder / "gold.align", corpus.gold.alignment_lines())
        about = {
            "corpus": name,
            "source": languages[0],
            "target": languages[1],
            "tests": list(corpus.tests),
            "gold": corpus.gold is not None,
            "tokenised": corpus.tokenised,
            "lowercase": lowercase,
        }
        write_corpus_record(folder, {**about, "train_pairs": dropped, "sets": statistics})


def _statistics(languages: tuple[str, str], texts: list[list[str]]) -> dict[str, object]:
    lengths = [[length(line) for line in lines] for lines in texts]
    return {
        "pairs": len(texts[0]),
        "tokens": {language: sum(of) for language, of in zip(languages, lengths, strict=True)},
        "mean_length": {language: round(sum(of) / len(of), 2) for language, of in zip(languages, lengths, strict=True)},
        "max_length": {language: max(of) for language, of in zip(languages, lengths, strict=True)},
    }


def _has_separator(line: str) -> bool:
    return line.endswith(SEPARATOR) or f"{SEPARATOR} " in line


def _check_separator(part: str, sentences: Iterable[Sentence]) -> None:
    for number, pair in enumerate(sentences, 1):
        for line in (pair.source, pair.target):
            if _has_separator(line):
                raise InputError(
                    f"{part}, line {number}: a word ends in {SEPARATOR!r}, which marks a cut word after segmentation; "
                    f"remove the pair or rewrite the word: {line}"
                )
