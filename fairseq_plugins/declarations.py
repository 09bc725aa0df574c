"""What systems and terms say of themselves in their docstrings, read without importing them.

The first line of a model's module says `Name: one phrase (paper, equation).`; the first line of its class is the
formula. Paragraphs of a class docstring that begin with one of these keys say the rest::

    Family: the idea that it belongs to; figures give a family a colour and a marker
    Symbol: of a term, the text by which formula or loss of every system shows that it has the term
    State:, Loss:  what it carries from step to step, and what training adds to the likelihood
    Written from: what was at hand: the paper, the authors' code, something second hand
    Confidence:    how sure it is that the equations are the paper's
    Ours:          what the source leaves open, and was decided here

What a model does not say is what its base class says, and then what its terms say; what was decided for a base class
holds for the model too. Docstrings are no part of a code manifest: editing them trains nothing again.
"""

import ast
import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent
FAMILY, SYMBOL, WRITTEN_FROM, CONFIDENCE, OURS = "Family", "Symbol", "Written from", "Confidence", "Ours"
LOW = "low"
"""The confidence in equations that are guesses."""
COMBINATIONS = "combinations"
"""The family of what has terms of several."""


class Declared(NamedTuple):
    """What one system or term says.

    Attributes:
        name: --arch of a system, name of a term.
        title: its name and one phrase; paper: "" for a term.
        formula: of a term, what e_ij gains by it, "" where that is nothing.
        said: the paragraphs by their keys, as its own classes have them.
        terms: of a system, the declarations of its terms.
        mechanisms: of a system, the modules of `fairseq_plugins.mechanisms` that it is made of.
    """

    name: str
    title: str
    paper: str
    formula: str
    said: dict[str, str]
    terms: tuple["Declared", ...]
    mechanisms: tuple[str, ...]

    def says(self, key: str) -> list[str]:
        """What it says itself, else what its terms say, each different thing once."""
        own = [self.said[key]] if key in self.said else [text for term in self.terms for text in term.says(key)]
        return list(dict.fromkeys(own))

    @property
    def family(self) -> str | None:
        """Its own, else that of its terms; None where nobody says one."""
        families = self.says(FAMILY)
        return COMBINATIONS if len(families) > 1 else next(iter(families), None)


def system(arch: str) -> Declared | None:
    """The system of ``models/<arch>.py``; None where there is no such file."""
    path = ROOT / "models" / f"{arch}.py"
    return _system(path) if path.is_file() else None


def term(name: str) -> Declared | None:
    """The term of ``terms/<name>.py``; None where there is no such file."""
    path = ROOT / "terms" / f"{name}.py"
    return _term(path) if path.is_file() else None


def systems() -> list[Declared]:
    """All of them, by name."""
    return [_system(path) for path in sorted((ROOT / "models").glob("[!_]*.py"))]


def terms() -> list[Declared]:
    """All of them, by name."""
    return [_term(path) for path in sorted((ROOT / "terms").glob("[!_]*.py"))]


@cache
def _system(path: Path) -> Declared:
    arch = path.stem
    first = (ast.get_docstring(_tree(path)) or "").partition("\n")[0].replace("``", "")
    title, paper = re.findall(r"^(.*?)(?: \(([^()]*)\))?\.?$", first)[0]
    marks = {f"register('{arch}')", f"register_model('{arch}')"}  # fairseq's own, of what is no recurrent system
    chain = _with_bases(path, _class_where(path, lambda node: not marks.isdisjoint(_decorators(node))))
    texts = [inspect.cleandoc(ast.get_docstring(node) or "") for _, node in chain]
    each = [paragraphs(one) for one in reversed(texts)]
    said = {key: text for one in each for key, text in one.items()}
    if OURS in said:
        said[OURS] = "; ".join(one[OURS] for one in each if OURS in one)
    named = next((names for _, node in chain if (names := _assigned(node, "terms")) is not None), [])
    imported = {name: module for file, _ in reversed(chain) for name, module in _imports(file).items()}
    terms = tuple(_term(ROOT / "terms" / f"{imported[name].rpartition('.')[2]}.py") for name in named)
    mechanisms = sorted({module for module in imported.values() if ".mechanisms." in module})
    formula = texts[0].partition("\n")[0].replace("``", "").removesuffix(".")
    return Declared(arch, title, paper, formula, said, terms, tuple(mechanisms))


@cache
def _term(path: Path) -> Declared:
    name = path.stem
    node = _class_where(path, lambda node: f"name = {name!r}" in map(ast.unparse, node.body))
    title = (ast.get_docstring(_tree(path)) or "").partition("\n")[0].removesuffix(".")
    docstring = ast.get_docstring(node) or ""
    gains = re.search(r"e_ij gains (.*?);", " ".join(docstring.replace("``", "").split()))
    return Declared(name, title, "", gains[1] if gains else "", paragraphs(docstring), (), ())


def paragraphs(docstring: str) -> dict[str, str]:
    """The paragraphs that begin with a key (one or two words and a colon), by that key, each as one line."""
    parts = (" ".join(part.split()) for part in inspect.cleandoc(docstring).replace("``", "").split("\n\n"))
    found = (re.fullmatch(r"([A-Z]\w*(?: [a-z]+)?): (.*)", part) for part in parts)
    return {hit[1]: hit[2].removesuffix(".") for hit in found if hit}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _class_where(path: Path, fits: Callable[[ast.ClassDef], bool]) -> ast.ClassDef:
    return next(node for node in _tree(path).body if isinstance(node, ast.ClassDef) and fits(node))


def _with_bases(path: Path, node: ast.ClassDef) -> list[tuple[Path, ast.ClassDef]]:
    """The class and those that it inherits from, as far as they stand in ``models``, each with its file."""
    chain, imports = [(path, node)], _imports(path)
    for base in map(ast.unparse, node.bases):
        module = imports.get(base, "")
        if ".models." in module:
            file = ROOT / "models" / f"{module.rpartition('.')[2]}.py"
            chain += _with_bases(file, _class_where(file, partial(_is_called, base)))
    return chain


def _is_called(name: str, node: ast.ClassDef) -> bool:
    return node.name == name


def _imports(path: Path) -> dict[str, str]:
    """Name in a file -> the module of this package that it is imported from."""
    return {
        alias.asname or alias.name: node.module
        for node in _tree(path).body
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("fairseq_plugins")
        for alias in node.names
    }


def _assigned(node: ast.ClassDef, name: str) -> list[str] | None:
    """The elements of the tuple that a class attribute is set to, as they are written."""
    for statement in node.body:
        if (
            isinstance(statement, ast.Assign)
            and name in map(ast.unparse, statement.targets)
            and isinstance(statement.value, ast.Tuple)
        ):
            return [ast.unparse(element) for element in statement.value.elts]
    return None


def _decorators(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(decorator) for decorator in node.decorator_list]
