"""Links between words -> links between sub-word pieces."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from stages.alignment import pharaoh
from stages.files.errors import InputError
from stages.files.links import Link
from stages.files.text import check_counts, iter_parallel, read_lines
from stages.text.pieces import word_starts


def piece_links(links: Collection[Link], source: Sequence[str], target: Sequence[str], reverse: bool) -> list[Link]:
    """(source piece, target piece) of every piece of a linked source word with every piece of its target word, sorted.

    source, target: pieces of the sentence in the direction of the run. reverse: the run goes against the direction of
    the corpus, in which `links` are written, so each of them is turned.
    Raises ValueError that names a link outside the sentence.
    """
    sources, targets = _words(source), _words(target)
    found: set[Link] = set()
    for link in links:
        j, i = reversed(link) if reverse else link
        if j >= len(sources) or i >= len(targets):
            raise ValueError(
                f"link {link[0]}-{link[1]} lies outside its sentence of {len(sources)} source and {len(targets)} "
                f"target words{', counted target first' if reverse else ''}"
            )
        found.update((s, t) for s in sources[j] for t in targets[i])
    return sorted(found)


def read_piece_links(links: Path, source: Path, target: Path, reverse: bool) -> Iterator[list[Link]]:
    """`piece_links` of every line of the file `links` with those of the segmented texts `source` and `target`.

    Raises:
        InputError: the files have different numbers of lines, or a link is malformed or outside its sentence.
    """
    found = read_lines(links, allow_empty=True)
    pairs = tuple(iter_parallel(source, target))
    check_counts((links, len(found)), (source, len(pairs)))
    for number, (line, pair) in enumerate(zip(found, pairs, strict=True), 1):
        try:
            yield piece_links(pharaoh.parse(line), pair[0].split(" "), pair[1].split(" "), reverse)
        except ValueError as error:
            raise InputError(f"{links}, line {number}: {error}; run the wordalign and bpe stages again") from None


def _words(pieces: Sequence[str]) -> list[range]:
    """The pieces of every word."""
    starts = word_starts(pieces)
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(pieces)], strict=True)]
