"""Which pairs of a corpus become training text."""

import heapq
import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tqdm import tqdm

from stages.corpora.parallel import Sentence, length
from stages.corpora.raw_corpus import Corpus
from stages.files.errors import InputError
from stages.text.pieces import looks_cut


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
            if not (pair.source and pair.target):
                counts["empty"] += 1
            elif max(length(pair.source), length(pair.target)) > filters.max_length:
                counts["too_long"] += 1
            elif looks_cut(pair.source) or looks_cut(pair.target):
                counts["separator"] += 1
            elif key(pair.source) in source_keys or key(pair.target) in target_keys:
                counts["overlap"] += 1
            else:
                counts["passed"] += 1
                yield pair

    kept = list(passing()) if filters.limit is None else draw(passing(), filters.limit, "limit")
    if not kept:
        raise InputError(
            f"no training pair is left of {counts['read']} ({counts['too_long']} too long, {counts['empty']} empty, "
            f"{counts['overlap']} also in dev, test or gold); raise max_length or change the files"
        )
    return kept, {
        "read": counts["read"] + corpus.held_out,
        "held_out": corpus.held_out,
        "empty": counts["empty"],
        "too_long": counts["too_long"],
        "separator": counts["separator"],
        "overlap": counts["overlap"],
        "over_limit": counts["passed"] - len(kept),
        "kept": len(kept),
    }
