"""Lexical tables: how often a word is linked to each of its translations."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from stages.files.links import Link

WordPair = tuple[str, str]


class LexiconEntry(NamedTuple):
    """probability: p(translation | word), the relative frequency over the links of the word; count: those links."""

    word: str
    translation: str
    probability: float
    count: int  # type: ignore[assignment]  # hides tuple's own, which nobody calls


def count_links(sentences: Iterable[tuple[Sequence[str], Sequence[str], Collection[Link]]]) -> Counter[WordPair]:
    """(source word, target word) -> links between them, over sentences given as (source, target, links)."""
    return Counter((source[i], target[j]) for source, target, links in sentences for i, j in links)


def entries(counts: Mapping[WordPair, int]) -> list[LexiconEntry]:
    """Entries of (word, translation) -> links, sorted by word, then by falling count, then by translation."""
    totals: Counter[str] = Counter()
    for (word, _), count in counts.items():
        totals[word] += count
    found = [LexiconEntry(*pair, count / totals[pair[0]], count) for pair, count in counts.items()]
    return sorted(found, key=lambda entry: (entry.word, -entry.count, entry.translation))


def inverted(counts: Mapping[WordPair, int]) -> dict[WordPair, int]:
    """The same counts seen from the target words."""
    return {(target, source): count for (source, target), count in counts.items()}


def lines(found: Iterable[LexiconEntry]) -> Iterator[str]:
    """`word translation p count`, separated by tabs."""
    return (f"{word}\t{translation}\t{probability:.6f}\t{count}" for word, translation, probability, count in found)
