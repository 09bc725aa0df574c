"""Which of the project's modules a module imports, found without running any of them."""

import ast
import hashlib
from collections.abc import Iterable
from pathlib import Path

from stages.errors import InputError

PACKAGES = ("stages", "fairseq_plugins")


def closure(entries: Iterable[str], root: Path = Path()) -> list[Path]:
    """Files of this project that importing ``entries`` (dotted modules) can reach, sorted; relative to ``root``.

    Every import statement counts, also one inside a function; a package counts with its ``__init__``.

    Raises:
        InputError: an entry is no module of the project.
    """
    found: set[Path] = set()
    waiting = [(name, True) for name in entries]
    while waiting:
        name, required = waiting.pop()
        file = _file(name, root)
        if file is None:
            if required:
                raise InputError(f"there is no module {name} in this project")
            continue
        if file in found:
            continue
        found.add(file)
        package = name.rpartition(".")[0]
        waiting += [(package, False)] if package else []
        waiting += [(imported, False) for imported in _imports(root / file)]
    return sorted(found)


def code_hash(file: Path) -> str:
    """sha256 of a module's code: comments, docstrings and layout do not count, so editing them retrains nothing."""
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _file(name: str, root: Path) -> Path | None:
    path = Path(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if (root / candidate).is_file():
            return candidate
    return None


def _imports(file: Path) -> list[str]:
    """Dotted names of the project's modules that a file may import; ``from a import b`` gives a and a.b."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), filename=str(file))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.split(".")[0] in PACKAGES]
