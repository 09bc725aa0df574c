"""Which of the project's modules a module imports, found without running any of them."""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from stages.files.errors import InputError
from stages.pipeline.code_text import code_text

PACKAGES = ("stages", "fairseq_plugins")


class Modules:
    """The modules below ``root`` as they are now: each is looked up and read once."""

    def __init__(self, root: Path = Path()) -> None:
        self._root = root
        self._file = cache(self._file_of)
        self._imports = cache(self._imports_of)

    def closure(self, entries: Iterable[str]) -> list[Path]:
        """Files that importing ``entries`` (dotted modules) can reach, sorted; relative to the root.

        Every import statement counts, also one inside a function; a package counts with its ``__init__``.

        Raises:
            InputError: an entry is no module of the project.
        """
        found: set[Path] = set()
        waiting = [(name, True) for name in entries]
        while waiting:
            name, required = waiting.pop()
            file = self._file(name)
            if file is None:
                if required:
                    raise InputError(f"there is no module {name} in this project")
                continue
            if file in found:
                continue
            found.add(file)
            package = name.rpartition(".")[0]
            waiting += [(package, False)] if package else []
            waiting += [(imported, False) for imported in self._imports(file) if _is_ours(imported)]
        return sorted(found)

    def others(self, files: Iterable[Path]) -> set[str]:
        """The packages of others, by their names in import statements, that these files import."""
        return {name.split(".")[0] for file in files for name in self._imports(file) if not _is_ours(name)}

    def _file_of(self, name: str) -> Path | None:
        path = Path(*name.split("."))
        for candidate in (path.with_suffix(".py"), path / "__init__.py"):
            if (self._root / candidate).is_file():
                return candidate
        return None

    def _imports_of(self, file: Path) -> list[str]:
        return _imports((self._root / file).read_text(encoding="utf-8"), file)


def code_hash(file: Path) -> str:
    """sha256 of a module's code: comments, docstrings and layout do not count, so editing them retrains nothing."""
    return _hash(file.read_text(encoding="utf-8"))


@cache  # many systems run the same files
def _hash(code: str) -> str:
    return hashlib.sha256(code_text(code).encode()).hexdigest()


@cache
def _imports(code: str, file: Path) -> list[str]:
    """Dotted names of the modules that the code of a file may import; ``from a import b`` gives a and a.b."""
    names: list[str] = []
    for node in ast.walk(ast.parse(code, filename=str(file))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = file.with_suffix("").parts[: -node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return names


def _is_ours(name: str) -> bool:
    return name.split(".")[0] in PACKAGES
