"""What every system computes inside the tanh, read from the docstrings of its code without running it.

The first line of a model's docstring is its formula. A combination of terms has that of the combination, with what the
docstring of each term says that e_ij gains.
"""

from collections.abc import Mapping

from fairseq_plugins import declarations
from stages.reporting import recipe
from stages.reporting.tables.table import MISSING, Cell, ReportTable, Table
from stages.settings.training import DecodingControl
from stages.settings.variants import VariantModel

SAYS = {
    "loss": "Loss",
    "state": "State",
    "written from": declarations.WRITTEN_FROM,
    "confidence": declarations.CONFIDENCE,
}
"""Heading -> the paragraph of the docstrings that stands below it."""
HEADINGS = ("System", "name", "formula", "architecture", "terms", "options", "paper", *SAYS)


def formulas(
    titles: Mapping[str, str],
    models: Mapping[str, VariantModel],
    decoded: Mapping[str, DecodingControl],
) -> ReportTable | None:
    """titles: of every system; models: the `model` of each of them; decoded: as `StudySpec.decoded`. None without
    models."""
    if not models:
        return None
    rows = []
    for name, title in titles.items():
        model = models[name]
        searched = decoded[name].model_dump(exclude_defaults=True) if name in decoded else {}
        terms, options = ", ".join(model.terms or ()), recipe.text(model.options() | searched)
        found = declarations.system(model.arch)
        paper = found.paper if found else ""
        texts = (name, formula(model), model.arch, terms, options, paper, *(says(model, key) for key in SAYS.values()))
        rows.append((title, tuple(Cell(text or MISSING) for text in texts)))
    return ReportTable(
        name="formulas",
        title="Formulas",
        about="How each system scores source word j for target word i; its name in params.yaml and in the figures; "
        "which options it has otherwise than by default; the paper, what training adds to the likelihood, what is "
        "carried from step to step, what the code was written from, and how sure it is that the equations are the "
        "paper's.",
        mirrors="the papers' equations",
        parts={"": Table(HEADINGS, tuple(rows), tuple(titles), frozenset(HEADINGS[1:]))},
        notes=(
            "definitions of all systems: docs/variants.md; the same of every architecture, and what was decided here: "
            "python -m fairseq_plugins list",
        ),
    )


def formula(model: VariantModel) -> str:
    """A dash for an architecture of fairseq's own."""
    found = declarations.system(model.arch)
    if found is None:
        return MISSING
    _, combines, rest = found.formula.partition(" + the terms named)")
    if not combines:
        return found.formula
    base = declarations.system(model.options().get("base", "rnnsearch_star"))
    assert base is not None  # no other value is let through
    added = "".join(f" + {term.formula}" for term in _terms(model) if term.formula)
    return f"{base.formula.removesuffix(')')}{added}){rest}"


def says(model: VariantModel, key: str) -> str:
    """What the docstrings of the system, and of the terms named for it, say below a key; "" where that is nothing."""
    found = declarations.system(model.arch)
    own = found.says(key) if found else []
    of_terms = [text for term in _terms(model) for text in term.says(key)]
    return "; ".join(dict.fromkeys([*own, *of_terms]))


def _terms(model: VariantModel) -> list[declarations.Declared]:
    """Those named for a combination."""
    return [found for found in map(declarations.term, model.terms or ()) if found]
