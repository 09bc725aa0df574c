"""The phrase table in Thot's form: how often phrases were extracted together (Koehn et al. 2003)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.alignment.phrases import phrase_pairs
from stages.files.links import Link
from stages.files.text import write_lines

UNUSED = "<UNUSED_WORD>"
"""Stands for the translations that are left out, so that the probabilities of those kept do not change."""


class PhraseCounts(NamedTuple):
    """together: source phrase -> target phrase -> count; targets: target phrase -> count with any source phrase."""

    together: dict[str, Counter[str]]
    targets: Counter[str]


def count_translations(
    sentences: Iterable[tuple[Sequence[str], Sequence[str], Iterable[Link]]], wanted: frozenset[str], longest: int
) -> PhraseCounts:
    """Of all phrases of at most `longest` words a side; source phrases that are not `wanted` count for targets only."""
    counts = PhraseCounts({}, Counter())
    for source, target, links in sentences:
        for pair in phrase_pairs(links, len(source), len(target), longest, longest):
            from_phrase, to_phrase = " ".join(source[pair.j : pair.j_end]), " ".join(target[pair.i : pair.i_end])
            counts.targets[to_phrase] += 1
            if from_phrase in wanted:
                counts.together.setdefault(from_phrase, Counter())[to_phrase] += 1
    return counts


def phrases_of(sentences: Iterable[Sequence[str]], longest: int) -> frozenset[str]:
    """Every run of at most `longest` words."""
    return frozenset(
        " ".join(words[start:end])
        for words in sentences
        for start in range(len(words))
        for end in range(start + 1, min(start + longest, len(words)) + 1)
    )


def write_phrase_table(counts: PhraseCounts, most: int, path: Path) -> int:
    """Write the `most` frequent translations of each source phrase, of equals the first; -> phrase pairs kept."""
    kept = {phrase: sorted(found.items(), key=_frequent_first)[:most] for phrase, found in counts.together.items()}
    write_lines(path, _lines(kept, counts))
    return sum(map(len, kept.values()))


def _frequent_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _lines(kept: dict[str, list[tuple[str, int]]], counts: PhraseCounts) -> Iterator[str]:
    """`target ||| source ||| c(target) c(source, target)`, sorted by source."""
    for phrase in sorted(kept):
        for target, count in kept[phrase]:
            yield f"{target} ||| {phrase} ||| {counts.targets[target]} {count}"
        left = counts.together[phrase].total() - sum(count for _, count in kept[phrase])
        if left:
            yield f"{UNUSED} ||| {phrase} ||| 0 {left}"
