"""Which code a stage runs, and in which version: the modules that it imports, found without running them, as tokens.

Of the tokens, comments, blank lines and where lines are broken do not count, nor does a string that is a statement of
its own, which is documentation. Since Python 3.12 the parts of an f-string are tokens; here it is one as before,
so it is taken from the source as it stands.
"""

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from stages.files.errors import InputError
from stages.settings.variants import VariantModel

LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
OPENING, CLOSING = (
    {getattr(tokenize, f"{kind}STRING_{end}") for kind in "FT" if hasattr(tokenize, f"{kind}STRING_{end}")}
    for end in ("START", "END")
)
"""Kinds of tokens that begin and end a string with expressions in it, where Python has them."""

BETWEEN = "\0"
"""Stands in no source, so no two codes have one text."""


def code_text(source: str) -> str:
    """A line a logical line of code: how deep it is indented, and its tokens."""
    lines: list[str] = []
    line: list[tokenize.TokenInfo] = []
    depth = 0
    for token in _tokens(source):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            depth += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.NEWLINE:
            if not _is_documentation(line):
                lines.append(BETWEEN.join([str(depth), *(each.string for each in line)]))
            line = []
        elif token.type not in LAYOUT:
            line.append(token)
    return "\n".join(lines)


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """Those of the library, each string with expressions in it as one."""
    rows = io.StringIO(source).readlines()  # as the library counts them
    open_strings: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in OPENING:
            open_strings.append(token)
        elif token.type in CLOSING:
            first = open_strings.pop()
            if not open_strings:
                text = _between(rows, first.start, token.end)
                yield tokenize.TokenInfo(tokenize.STRING, text, first.start, token.end, first.line)
        elif not open_strings:
            yield token


def _between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The source from one place up to another; a place is a line, counted from 1, and a column."""
    if start[0] == end[0]:
        return rows[start[0] - 1][start[1] : end[1]]
    return "".join([rows[start[0] - 1][start[1] :], *rows[start[0] : end[0] - 1], rows[end[0] - 1][: end[1]]])


def _is_documentation(line: list[tokenize.TokenInfo]) -> bool:
    """Whether it is text and nothing else: neither bytes nor expressions in a string."""
    return bool(line) and all(token.type == tokenize.STRING and _is_text(token.string) for token in line)


def _is_text(string: str) -> bool:
    prefix = string[: min(string.index(quote) for quote in "'\"" if quote in string)]
    return not set(prefix.lower()) & set("bft")


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
        waiting += [(imported, False) for imported in _imports((root / file).read_text(encoding="utf-8"), file)]
    return sorted(found)


def code_hash(file: Path) -> str:
    """sha256 of a module's code: comments, docstrings and layout do not count, so editing them retrains nothing."""
    return _hash(file.read_text(encoding="utf-8"))


@cache  # many systems run the same files
def _hash(code: str) -> str:
    return hashlib.sha256(code_text(code).encode()).hexdigest()


def _file(name: str, root: Path) -> Path | None:
    path = Path(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if (root / candidate).is_file():
            return candidate
    return None


@cache
def _imports(code: str, file: Path) -> list[str]:
    """Dotted names of the project's modules that the code of a file may import; ``from a import b`` gives a and a.b."""
    names: list[str] = []
    for node in ast.walk(ast.parse(code, filename=str(file))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = file.with_suffix("").parts[: -node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.split(".")[0] in PACKAGES]


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
