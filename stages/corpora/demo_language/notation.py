"""Phrases that grow on both sides at once: the notation in which the demo grammar is written.

A template is a line of items: a slot `{0}` (a phrase put there) or a word `text/TAG:labels`. Labels say what the word
is linked to: a letter links to every word of the other side with the same letter, a digit to the head words, on the
other side, of the phrase in that slot. `?` makes the link possible instead of sure. `^` before an item makes it a head
of the phrase; without any `^` on a side every item is.

    join("{0} 的/DEG:a? ^{1}", "the/DT:1? ^{1} of/IN:a? {0}", owner, thing)
"""

from functools import cache
from typing import NamedTuple


class Word:
    """One word in one place of one sentence; two words with the same text are different words."""

    __slots__ = ("tag", "text")

    def __init__(self, text: str, tag: str) -> None:
        self.text = text
        self.tag = tag


class Phrase(NamedTuple):
    """A constituent on both sides. `plural` is the English number, for agreement."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    links: tuple[tuple[Word, Word, bool], ...]
    source_heads: tuple[Word, ...]
    target_heads: tuple[Word, ...]
    plural: bool


NOTHING = Phrase((), (), (), (), (), False)


class _Item(NamedTuple):
    slot: int | None
    text: str
    tag: str
    labels: tuple[tuple[str, bool], ...]
    head: bool


class _Template(NamedTuple):
    items: tuple[_Item, ...]
    slots: frozenset[int]


@cache
def _parse(template: str) -> _Template:
    items = []
    for chunk in template.split():
        head = chunk.startswith("^")
        chunk = chunk.removeprefix("^")
        if chunk.startswith("{"):
            items.append(_Item(int(chunk[1:-1]), "", "", (), head))
            continue
        text, _, rest = chunk.partition("/")
        tag, _, labels = rest.partition(":")
        if not text or not tag:
            raise ValueError(f"template {template!r}: {chunk!r} is neither a slot nor text/TAG")
        pairs = tuple((label.removesuffix("?"), not label.endswith("?")) for label in labels.split(",") if label)
        items.append(_Item(None, text, tag, pairs, head))
    if not any(item.head for item in items):
        items = [item._replace(head=True) for item in items]
    return _Template(tuple(items), frozenset(item.slot for item in items if item.slot is not None))


Labelled = list[tuple[Word, str, bool]]


def _fill(items: tuple[_Item, ...], parts: tuple[Phrase, ...], side: int) -> tuple[list[Word], list[Word], Labelled]:
    """-> (words, heads, (word, label, sure) of every labelled word) of one side; `side` 0 is the source."""
    words: list[Word] = []
    heads: list[Word] = []
    labelled: Labelled = []
    for item in items:
        if item.slot is None:
            word = Word(item.text, item.tag)
            words.append(word)
            if item.head:
                heads.append(word)
            labelled.extend((word, label, sure) for label, sure in item.labels)
        else:
            part = parts[item.slot]
            words.extend((part.source, part.target)[side])
            if item.head:
                heads.extend((part.source_heads, part.target_heads)[side])
    return words, heads, labelled


def join(source: str, target: str, *parts: Phrase, plural: bool = False) -> Phrase:
    """The phrase that two templates make of `parts` (see the module's notation)."""
    left, right = _parse(source), _parse(target)
    source_words, source_heads, source_labels = _fill(left.items, parts, 0)
    target_words, target_heads, target_labels = _fill(right.items, parts, 1)
    both = left.slots & right.slots
    links = [link for slot in sorted(both) for link in parts[slot].links]
    for word, label, sure in source_labels:
        if label.isdigit():
            links.extend((word, head, sure) for head in parts[int(label)].target_heads)
        else:
            links.extend((word, other, sure and same) for other, name, same in target_labels if name == label)
    for word, label, sure in target_labels:
        if label.isdigit():
            links.extend((head, word, sure) for head in parts[int(label)].source_heads)
    return Phrase(
        tuple(source_words), tuple(target_words), tuple(links), tuple(source_heads), tuple(target_heads), plural
    )


def units(source: str, target: str, source_tag: str, target_tag: str, plural: bool = False) -> Phrase:
    """A lexical entry: space-separated units in the same order on both sides, `+` between the words of one unit.

    Every word of a unit is surely linked to every word of its counterpart; `word/TAG` overrides the default tag.
    """
    return join(_unit_template(source, source_tag), _unit_template(target, target_tag), plural=plural)


@cache
def _unit_template(side: str, tag: str) -> str:
    words = []
    for number, unit in enumerate(side.split()):
        for word in unit.split("+"):
            words.append(f"{word if '/' in word else f'{word}/{tag}'}:u{number}")
    return " ".join(words)
