"""The references of a set, as the corpus stage writes them."""

from itertools import count, takewhile
from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import check_counts, read_lines


def read_references(folder: Path, name: str, language: str) -> list[tuple[str, ...]]:
    """Per sentence its references, as many as there are files `<name>.ref<k>.<language>` with k = 0, 1, ...

    Raises:
        InputError: there is none, or one has not as many lines as the set.
    """
    paths = (folder / f"{name}.ref{k}.{language}" for k in count())
    columns = {path: read_lines(path) for path in takewhile(Path.exists, paths)}
    words_path = folder / f"{name}.{language}"
    if not columns:
        raise InputError(f"{folder / name}.ref0.{language} is missing; run the corpus stage again")
    for path, lines in columns.items():
        check_counts((path, len(lines)), (words_path, len(read_lines(words_path))))
    return list(zip(*columns.values(), strict=True))
