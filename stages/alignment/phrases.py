"""Phrase pairs that fit word links (Och & Ney 2004; Koehn et al. 2003), and what translates a phrase."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from stages.files.links import Link

Tokens = tuple[str, ...]


class PhrasePair(NamedTuple):
    """Half-open spans: tokens ``[j, j_end)`` of the source and ``[i, i_end)`` of the target."""

    j: int
    j_end: int
    i: int
    i_end: int


def phrase_pairs(
    links: Iterable[Link], S: int, T: int, longest_source: int, longest_target: int
) -> Iterator[PhrasePair]:
    """All pairs of spans with a link between them and no link from inside one to outside the other.

    Koehn et al. 2003: unlinked words at the borders belong to a phrase or do not, so both pairs are given.

    Args:
        links: (source position, target position).
        S, T: source and target length.
        longest_source, longest_target: in tokens.

    Raises:
        ValueError: a link lies outside its sentence.
    """
    of_source: list[list[int]] = [[] for _ in range(S)]
    of_target: list[list[int]] = [[] for _ in range(T)]
    for j, i in links:
        if not (0 <= j < S and 0 <= i < T):
            raise ValueError(f"link {j}-{i} lies outside its sentence of {S} source and {T} target tokens")
        of_source[j].append(i)
        of_target[i].append(j)
    for j in range(S):
        linked: list[int] = []
        for j_end in range(j + 1, min(j + longest_source, S) + 1):
            linked += of_source[j_end - 1]
            if not linked:
                continue
            first, last = min(linked), max(linked)
            if last - first >= longest_target:
                break
            if all(j <= k < j_end for i in range(first, last + 1) for k in of_target[i]):
                for i, i_end in _with_unlinked(first, last + 1, of_target, longest_target):
                    yield PhrasePair(j, j_end, i, i_end)


def _with_unlinked(first: int, end: int, of_target: Sequence[list[int]], longest: int) -> Iterator[tuple[int, int]]:
    """The span ``[first, end)`` and those that unlinked target words on either side extend it to."""
    i = first
    while i >= 0 and (i == first or not of_target[i]):
        i_end = end
        while i_end - i <= longest:
            yield i, i_end
            if i_end == len(of_target) or of_target[i_end]:
                break
            i_end += 1
        i -= 1


def count_phrases(
    sentences: Iterable[tuple[Sequence[str], Sequence[str], Iterable[Link]]], longest_source: int, longest_target: int
) -> dict[Tokens, Counter[Tokens]]:
    """Source phrase -> how often each target phrase was extracted with it, over (source, target, links)."""
    counts: defaultdict[Tokens, Counter[Tokens]] = defaultdict(Counter)
    for source, target, links in sentences:
        for pair in phrase_pairs(links, len(source), len(target), longest_source, longest_target):
            counts[tuple(source[pair.j : pair.j_end])][tuple(target[pair.i : pair.i_end])] += 1
    return dict(counts)


def best_words(phrases: Counter[Tokens], most: int) -> list[str]:
    """The first ``most`` different words of the phrases, the most frequent phrase first; of equals the shorter.

    For one source phrase the order of counts is that of p(target phrase | source phrase).
    """
    ranked = sorted(phrases, key=lambda phrase: (-phrases[phrase], len(phrase), phrase))
    return list(dict.fromkeys(word for phrase in ranked for word in phrase))[:most]
