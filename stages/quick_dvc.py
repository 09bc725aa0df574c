"""DVC's command line, quicker with its lock file: `python -m stages.quick_dvc repro …`.

After every stage DVC reads all of dvc.lock with the parser that keeps comments, changes one entry, and writes all of it
anew, which takes seconds for a study of fifty systems. Here the entries of other stages stay the text that they are.
"""

import re
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import TextIO

from dvc.cli import main
from dvc.utils.serialize import _yaml

HEAD = "schema: '2.0'\nstages:\n"
OTHER = re.compile(r"^(?!  |$)", re.MULTILINE)
ENTRY = re.compile(r"^  (?=\S)", re.MULTILINE)
NAME = re.compile(r"([\w@.-]+):\n")


class Entries(MutableMapping):
    """The stages of a lock file by name, in its order: an entry is parsed when it is asked for."""

    def __init__(self, texts: dict[str, str], path: str) -> None:
        self.texts = texts
        self._path = path

    def __getitem__(self, name: str) -> dict:
        return _yaml.parse_yaml(self.texts[name], self._path)[name]

    def __setitem__(self, name: str, entry: Mapping) -> None:
        self.texts[name] = _yaml.dumps_yaml({"stages": {name: entry}}).removeprefix("stages:\n")

    def __delitem__(self, name: str) -> None:
        del self.texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def parse_for_update(text: str, path: str, keeping_comments=_yaml.parse_yaml_for_update) -> dict:
    """What the file says, to be changed and written again. A lock file is cut into entries where it has the form in
    which DVC writes it, and is parsed in C otherwise: what DVC writes has no comments to keep."""
    if Path(path).suffix != ".lock":
        return keeping_comments(text, path)
    texts = _entries(text)
    return {"schema": "2.0", "stages": Entries(texts, path)} if texts else _yaml.parse_yaml(text, path)


def write(data: dict, stream: TextIO, whole=_yaml._dump) -> None:
    """What `parse_for_update` returned, as DVC writes it."""
    entries = data.get("stages")
    if isinstance(entries, Entries):
        stream.write(HEAD + "".join(entries.texts.values()))
    else:
        whole(data, stream)


def _entries(text: str) -> dict[str, str]:
    """The text of each stage by its name; none if the file has another form."""
    if not text.startswith(HEAD) or not text.endswith("\n"):
        return {}
    before, *entries = ENTRY.split(text[len(HEAD) :])
    names = [match and match[1] for match in map(NAME.match, entries)]
    if before or OTHER.search(text, len(HEAD)) or None in names or len(set(names)) < len(names):
        return {}
    return {name: f"  {entry}" for name, entry in zip(names, entries, strict=True)}


if __name__ == "__main__":
    _yaml.parse_yaml_for_update, _yaml._dump = parse_for_update, write
    sys.exit(main())
