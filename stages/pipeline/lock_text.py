"""dvc.lock as the texts of its entries, in the form in which DVC writes it."""

import re
from collections.abc import Mapping

HEAD = "schema: '2.0'\nstages:\n"
EMPTY = "schema: '2.0'\nstages: {}\n"
OTHER = re.compile(r"^(?!  |$)", re.MULTILINE)
ENTRY = re.compile(r"^  (?=\S)", re.MULTILINE)
NAME = re.compile(r"([\w@.-]+):\n")


def entries(text: str) -> dict[str, str]:
    """The text of each stage by its name; none if the file has another form."""
    if not text.startswith(HEAD) or not text.endswith("\n"):
        return {}
    before, *found = ENTRY.split(text[len(HEAD) :])
    names = [match[1] for match in map(NAME.match, found) if match]
    if before or OTHER.search(text, len(HEAD)) or len(set(names)) < len(found):
        return {}
    return {name: f"  {entry}" for name, entry in zip(names, found, strict=True)}


def whole(texts: Mapping[str, str]) -> str:
    """The file with these entries."""
    return HEAD + "".join(texts.values()) if texts else EMPTY
