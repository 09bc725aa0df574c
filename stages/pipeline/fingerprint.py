"""Which code a stage runs, and in which version."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from stages.pipeline.imports import closure, code_hash
from stages.settings.variants import VariantModel

MODELS, TERMS = "fairseq_plugins.models", "fairseq_plugins.terms"


def fingerprint(entry: str, model: VariantModel | None = None, root: Path = Path()) -> list[str]:
    """Lines ``path sha256``: the code that ``entry`` runs, with that of ``model`` if it builds one.

    A system of ours adds its model file, a combination its terms; fairseq's own architectures add nothing. What lies
    beside the code and is no Python (C++, tables, parts of the page) counts byte by byte.
    """
    entries = [entry]
    if model is not None:
        if (root / Path(*MODELS.split(".")) / f"{model.arch}.py").is_file():
            entries.append(f"{MODELS}.{model.arch}")
        entries += [f"{TERMS}.{term}" for term in model.terms or ()]
    files = closure(entries, root)
    lines = {file: code_hash(root / file) for file in files}
    lines |= {file: _checksum(root / file) for file in _data({file.parent for file in files}, root)}
    return [f"{file.as_posix()} {lines[file]}" for file in sorted(lines)]


def _data(folders: Iterable[Path], root: Path) -> Iterator[Path]:
    """The files that are no Python in these folders, and in their subfolders without Python."""
    for folder in folders:
        for path in (root / folder).iterdir():
            if path.is_file() and path.suffix != ".py":
                yield path.relative_to(root)
            elif path.is_dir() and path.name != "__pycache__" and not any(path.glob("*.py")):
                yield from (file.relative_to(root) for file in path.rglob("*") if file.is_file())


def _checksum(path: Path) -> str:
    about = path.stat()
    return _read(path, about.st_mtime_ns, about.st_size)


@cache  # many systems run the same kernels
def _read(path: Path, changed: int, size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
