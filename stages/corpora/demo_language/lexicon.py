"""The words of the demo corpus, which `lexicon.txt` lists, and the forms of English words; grammar.py combines them."""

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Noun(NamedTuple):
    """`bare` says what a bare Chinese noun is in English: `the`, `many` (plural, no article) or `mass`."""

    zh: str
    singular: str
    plural: str
    measure: str
    bare: str


class Verb(NamedTuple):
    """An English verb in its forms; `particle` follows it ("meet with"). `passive`: an object may become subject."""

    zh: str
    base: str
    third: str
    past: str
    participle: str
    gerund: str
    particle: str
    passive: bool


class Frame(NamedTuple):
    """Who does it to what: `subject` and `obj` name kinds of noun phrases of the grammar, `oblique` a preposition."""

    verb: Verb
    subject: str
    obj: str
    oblique: str


class Collocation(NamedTuple):
    """A verb whose translation depends on its object."""

    verb: Verb
    subject: str
    zh: str
    en: str
    tag: str
    article: str


@cache
def _sections() -> dict[str, tuple[tuple[str, ...], ...]]:
    sections = {}
    for block in Path(__file__).with_name("lexicon.txt").read_text(encoding="utf-8").split("\n["):
        name, _, lines = block.partition("]\n")
        rows = [line.split("|") for line in lines.splitlines() if line and not line.startswith("#")]
        sections[name] = tuple(tuple(cell.strip().removeprefix("-") for cell in row) for row in rows)
    return sections


def entries(section: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a section of `lexicon.txt`."""
    return _sections()[section]


def pairs(section: str) -> dict[str, str]:
    """The rows of a section of two columns."""
    return {left: right for left, right in entries(section)}


@cache
def nouns(*sections: str) -> tuple[Noun, ...]:
    return tuple(
        Noun(zh, en, pluralise(en), measure, bare) for name in sections for zh, en, measure, bare in entries(name)
    )


def _regular(base: str, ending: str) -> str:
    """`base` with -s or -ed."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + ("ies" if ending == "s" else "ied")
    if ending == "s":
        return base + ("es" if base.endswith(("s", "x", "ch", "sh", "o")) else "s")
    return base + ("d" if base.endswith("e") else "ed")


def pluralise(noun: str) -> str:
    """The plural of an English noun cell: that of its last word."""
    word = noun.replace("+", " ").split()[-1]
    return f"{noun.removesuffix(word)}{pairs('irregular plurals').get(word) or _regular(word, 's')}/NNS"


@cache
def conjugate(zh: str, english: str, passive: bool = True) -> Verb:
    """All forms of `english` ("meet with": only the first word is inflected)."""
    base, _, particle = english.partition(" ")
    stem = base + base[-1] if (base,) in entries("doubling verbs") else base
    irregular = {word: forms for word, *forms in entries("irregular verbs")}
    past, participle = irregular.get(base) or [_regular(stem, "ed")] * 2
    gerund = base[:-1] + "ing" if base.endswith("e") and not base.endswith("ee") else stem + "ing"
    return Verb(zh, base, _regular(base, "s"), past, participle, gerund, particle, passive)


FRAMES = tuple(
    Frame(conjugate(zh, en, passive=passive == "yes"), subject, obj, oblique)
    for zh, en, passive, subject, obj, oblique in entries("frames")
)
COLLOCATIONS = tuple(Collocation(conjugate(zh, en), *rest) for zh, en, *rest in entries("collocations"))
