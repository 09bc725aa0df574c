"""A user's own text as DVC sees it: the file `work/<corpus>/given`, on which the stage `corpus` depends.

It lists the files that a corpus of the kind `local` is read from, each with the sum of its text; of any other corpus it
is empty. DVC cannot depend on them itself, for their paths are settings. So a stage writes the list, and our runner
writes it anew before it asks DVC what has changed.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from stages.files.errors import InputError
from stages.files.records import write_json
from stages.files.run_directory import CorpusDirectory
from stages.files.text import reading, write_lines
from stages.settings.corpora import CorpusSettings, LocalSettings
from stages.settings.params import find, read, validate
from stages.settings.study_run import corpus_directory


def given_file(places: CorpusDirectory) -> Path:
    return places.path / "given"


def write_given(settings: CorpusSettings, places: CorpusDirectory) -> None:
    """Raises InputError: a file cannot be read."""
    write_lines(given_file(places), _listed(settings, places))


def note() -> None:
    """Write the list of the chosen corpus anew if it is there and its files are now others.

    Files that cannot be read change nothing: what was made of them may have come from another machine.
    """
    try:
        content = read()
        name = f"corpora.{content.get('corpus')}.corpus"
        settings, places = validate(find(content, name), CorpusSettings, name), corpus_directory(content["corpus"])
        if not _is_current(settings, places):
            write_given(settings, places)
    except InputError:  # or settings that are about to be refused
        pass


def require_given(settings: CorpusSettings, places: CorpusDirectory) -> None:
    """Raise an InputError if the list is of other files than there are: DVC would keep what is made of these as what
    was made of those."""
    if not _is_current(settings, places):
        raise InputError(
            f"the files of this corpus are no longer those that {given_file(places)} lists; run `make repro` again "
            "(before plain `dvc repro`: `make status`)"
        )


def _is_current(settings: CorpusSettings, places: CorpusDirectory) -> bool:
    """One that is not there is to be written by its stage."""
    path = given_file(places)
    return not path.exists() or path.read_text(encoding="utf-8").splitlines() == _listed(settings, places)


def _listed(settings: CorpusSettings, places: CorpusDirectory) -> list[str]:
    if not isinstance(settings, LocalSettings):
        return []
    sums = _sums(settings.files, places.path / "given.seen.json")
    return [f"{found} {path}" for path, found in sums.items()]


def _sums(files: Sequence[Path], seen: Path) -> dict[Path, str]:
    """sha256 of each file's text. seen: what was found before; a file that nobody has written since is not read."""
    try:
        before = json.loads(seen.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        before = {}
    now = {}
    for path in files:
        with reading(path) as handle:
            found = path.stat()
            stamp = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
            known = before.get(str(path))
            if known is None or known[0] != stamp:
                known = [stamp, hashlib.file_digest(handle, "sha256").hexdigest()]
            now[str(path)] = known
    if now != before:
        write_json(seen, now)
    return {path: now[str(path)][1] for path in files}
