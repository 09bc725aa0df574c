"""What every system computes inside the tanh, read from the docstrings of its code without running it.

The first line of a model's docstring is its formula. A combination of terms has that of the combination, with what the
docstring of each term says that e_ij gains.
"""

import ast
import re
from collections.abc import Mapping
from pathlib import Path

import fairseq_plugins
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.settings.variants import VariantModel

PLUGINS = Path(fairseq_plugins.__file__).parent
HEADINGS = ("System", "formula", "architecture", "terms")
TERMS = " + the terms named"
GAINS = re.compile(r"e_ij gains (.*?);", re.DOTALL)


def formulas(titles: Mapping[str, str], models: Mapping[str, VariantModel]) -> ReportTable | None:
    """titles: of every system; models: the `model` of each of them. None without models."""
    if not models:
        return None
    rows = []
    for name, title in titles.items():
        model = models[name]
        texts = (formula(model), model.arch, ", ".join(model.terms or ()) or MISSING)
        rows.append((title, tuple(map(Cell, texts))))
    return ReportTable(
        name="formulas",
        title="Formulas",
        about="How each system scores source word j for target word i, and what it does otherwise.",
        mirrors="the papers' equations",
        parts={"": Table(HEADINGS, tuple(rows), tuple(titles), frozenset(HEADINGS[1:]))},
        notes=("architectures, terms and their states and losses: python -m fairseq_plugins list",),
    )


def formula(model: VariantModel) -> str:
    """A dash for an architecture of fairseq's own."""
    path = PLUGINS / "models" / f"{model.arch}.py"
    if not path.exists():
        return MISSING
    written = _docstring(path, f"register({model.arch!r})")
    first = written.partition("\n")[0].removesuffix(".")
    gains = [gain for term in model.terms or () if (gain := _gain(term))]
    return first.replace(TERMS, "".join(f" + {gain}" for gain in gains))


def _gain(term: str) -> str:
    """What e_ij gains by a term, "" if nothing."""
    found = GAINS.search(_docstring(PLUGINS / "terms" / f"{term}.py", None))
    return " ".join(found[1].split()) if found else ""


def _docstring(path: Path, decorator: str | None) -> str:
    """Of the class with this decorator; without one, of all classes together."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            decorators = [ast.unparse(each) for each in node.decorator_list]
            if decorator is None or decorator in decorators:
                found.append(ast.get_docstring(node) or "")
    return "\n".join(found).replace("``", "")
