"""Which code a stage runs, and in which version."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from stages.pipeline.imports import Modules, code_hash
from stages.pipeline.packages import installed
from stages.settings.variants import VariantModel

MODELS, TERMS = "fairseq_plugins.models", "fairseq_plugins.terms"
LEFT_BEHIND = ("__pycache__", ".*", "*~", "#*#", "*.orig", "*.rej", "*.bak")
"""What editors, merges and Python leave beside code, and no stage reads."""


class Code:
    """The project's code below ``root`` as it is now; each file is read once, for many systems run the same."""

    def __init__(self, root: Path = Path()) -> None:
        self._root, self._modules = root, Modules(root)
        self._line = cache(self._line_of)
        self._data = cache(self._data_in)

    def fingerprint(self, entry: str, model: VariantModel | None = None) -> list[str]:
        """Lines ``path sha256``: the code that ``entry`` runs, with that of ``model`` if it builds one.

        A system of ours adds its model file, a combination its terms; fairseq's own architectures add nothing. What
        lies beside the code and is no Python (C++, tables, parts of the page) counts byte by byte.
        """
        entries = [entry]
        if model is not None:
            if (self._root / Path(*MODELS.split(".")) / f"{model.arch}.py").is_file():
                entries.append(f"{MODELS}.{model.arch}")
            entries += [f"{TERMS}.{term}" for term in model.terms or ()]
        files = self._modules.closure(entries)
        beside = {one for folder in {file.parent for file in files} for one in self._data(folder)}
        return [self._line(file) for file in sorted({*files, *beside})]

    def packages(self, entry: str) -> list[str]:
        """Lines ``package==version``: what computes for ``entry`` beside the project's code."""
        files = self._modules.closure([entry])
        return installed(files, self._modules.others(files))

    def _line_of(self, file: Path) -> str:
        path = self._root / file
        found = code_hash(path) if file.suffix == ".py" else hashlib.sha256(path.read_bytes()).hexdigest()
        return f"{file.as_posix()} {found}"

    def _data_in(self, folder: Path) -> list[Path]:
        return [*_no_python(self._root / folder, self._root)]


def _no_python(folder: Path, root: Path) -> Iterator[Path]:
    """The files in it that are no Python, also those of its subfolders without Python; relative to ``root``."""
    for path in folder.iterdir():
        if any(path.match(pattern) for pattern in LEFT_BEHIND):
            continue
        if path.is_file() and path.suffix != ".py":
            yield path.relative_to(root)
        elif path.is_dir() and not any(path.glob("*.py")):
            yield from _no_python(path, root)
