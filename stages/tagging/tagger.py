"""The tagger of a language, and the folder of the stage `tag` read back."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.text import read_lines
from stages.tagging import word_classes
from stages.text.languages import rules_of

Tagger = Callable[[Sequence[Sequence[str]]], list[list[str]]]
"""From the sentences of a text, each a sequence of words, to a class (`classes.CLASSES`) for every word."""

PROGRAMS = {
    "zh": ("jieba", "each word by itself and uncut: its tag in jieba's dictionary, else by its model of characters"),
    "en": ("HanTa", "C5 tags by sentence; without regard to case where a text has no capitals"),
    "de": ("HanTa", "STTS tags by sentence; without regard to case where a text has no capitals"),
}


class About(NamedTuple):
    """How the words of one language were tagged, as in about.json.

    tagger: what tagged the corpus's text; None if nothing can, and then `why` says so.
    tags_of_new_text: what `read_tagger` does. words: the file it needs for that, if any.
    accuracy: in percent, of the tagger for new text, on dev (`word_classes.Accuracy`); None without tags of its own.
    """

    tagger: str | None
    why: str | None
    tags_of_new_text: str | None
    words: str | None
    accuracy: dict[str, Any] | None


def tagger(language: str) -> Tagger | None:
    """The tagger that comes with a model of `language`; None if there is none."""
    match rules_of(language):  # imported here, for either loads its dictionary or model
        case "zh":
            from stages.tagging import chinese

            return chinese.tag
        case "en" | "de":
            from stages.tagging import hanta

            return hanta.load(rules_of(language))
    return None


def about(language: str) -> About:
    """What there is to say of `tagger(language)`."""
    if rules_of(language) not in PROGRAMS:
        known = ", ".join(sorted(PROGRAMS))
        why = f"no tagger knows the language {language!r} (those known: {known}), and the corpus has no tags for it"
        return About(tagger=None, why=why, tags_of_new_text=None, words=None, accuracy=None)
    program, how = PROGRAMS[rules_of(language)]
    text = f"{program} {version(program)}: {how}"
    return About(tagger=text, why=None, tags_of_new_text=text, words=None, accuracy=None)


def read_about(folder: Path, language: str) -> About:
    """What the stage `tag` wrote in `folder` about `language`.

    Raises:
        InputError: about.json is missing or damaged, or is about other languages.
    """
    path = folder / "about.json"
    record = read_record(path, (language,))[language]
    if not isinstance(record, dict) or tuple(record) != About._fields:
        raise InputError(f"{path}: {language} lacks {', '.join(About._fields)}; delete it and run `dvc repro`")
    return About(**record)


def read_tagger(folder: Path, language: str) -> Tagger | None:
    """The tagger for new text in `language`, e.g. a system's output: the same classes as those of the corpus's text.

    None if the language cannot be tagged; then `read_about` says why.

    Raises:
        InputError: a file of `folder` is missing or damaged.
    """
    found = read_about(folder, language)
    if found.tagger is None:
        return None
    return tagger(language) if found.words is None else word_classes.read(folder / found.words)


def read_classes(folder: Path, name: str, language: str) -> list[list[str]] | None:
    """The classes of the set `name`, a list a sentence; None if the language cannot be tagged.

    Raises:
        InputError: a file of `folder` is missing or damaged.
    """
    if read_about(folder, language).tagger is None:
        return None
    return [line.split(" ") for line in read_lines(folder / f"{name}.{language}")]
