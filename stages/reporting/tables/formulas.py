"""What every system computes inside the tanh, read from the docstrings of its code without running it.

The first line of a model's docstring is its formula. A combination of terms has that of the combination, with what the
docstring of each term says that e_ij gains.
"""

from collections.abc import Mapping

from fairseq_plugins import declarations
from stages.reporting import recipe
from stages.reporting.tables.table import MISSING, Cell, ReportTable, Table
from stages.settings.variants import VariantModel

HEADINGS = ("System", "formula", "architecture", "terms", "options")
TERMS = " + the terms named"


def formulas(titles: Mapping[str, str], models: Mapping[str, VariantModel]) -> ReportTable | None:
    """titles: of every system; models: the `model` of each of them. None without models."""
    if not models:
        return None
    rows = []
    for name, title in titles.items():
        model = models[name]
        terms, options = ", ".join(model.terms or ()), recipe.text(model.options())
        texts = (formula(model), model.arch, terms or MISSING, options or MISSING)
        rows.append((title, tuple(map(Cell, texts))))
    return ReportTable(
        name="formulas",
        title="Formulas",
        about="How each architecture scores source word j for target word i, with its states where the formula names "
        "them; which options a system has otherwise than by default. Losses are not in it.",
        mirrors="the papers' equations",
        parts={"": Table(HEADINGS, tuple(rows), tuple(titles), frozenset(HEADINGS[1:]))},
        notes=("architectures, terms and their states and losses: python -m fairseq_plugins list",),
    )


def formula(model: VariantModel) -> str:
    """A dash for an architecture of fairseq's own."""
    found = declarations.system(model.arch)
    if found is None:
        return MISSING
    terms = filter(None, map(declarations.term, model.terms or ()))
    return found.formula.replace(TERMS, "".join(f" + {term.formula}" for term in terms if term.formula))
