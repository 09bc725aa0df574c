"""What every system computes inside the tanh, read from the docstrings of its code without running it.

The first line of a model's docstring is its formula. A combination of terms has that of the combination, with what the
docstring of each term says that e_ij gains. What is fed back is left out of a system that feeds nothing back.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

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
TERMS = " + the terms named"
FED = re.compile(r" fed with a~_\{i-1\}|a~_\{i-1\} \(B, H\), fed back beside E_y\(y_\{i-1\}\)(; )?")
"""What formula and state of Luong's systems say of input feeding."""


def formulas(
    titles: Mapping[str, str],
    models: Mapping[str, VariantModel],
    decoded: Mapping[str, DecodingControl] = MappingProxyType({}),
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
    added = "".join(f" + {term.formula}" for term in _terms(model) if term.formula)
    return _as_fed(model, _on_base(model, found).replace(TERMS, added))


def says(model: VariantModel, key: str) -> str:
    """What the docstrings of the system, and of the terms named for it, say below a key; "" where that is nothing."""
    found = declarations.system(model.arch)
    own = found.says(key) if found else []
    terms = _terms(model)
    of_terms = [text for term in terms for text in term.says(key)]
    return _as_fed(model, "; ".join(dict.fromkeys([*(text for text in own if not _defers(text)), *of_terms])))


def _terms(model: VariantModel) -> list[declarations.Declared]:
    """Those named for a combination."""
    return [found for found in map(declarations.term, model.terms or ()) if found]


def _defers(text: str) -> bool:
    """Whether a combination leaves it to its terms, which say it themselves."""
    return "its terms" in text


def _on_base(model: VariantModel, found: declarations.Declared) -> str:
    """The formula of a combination with another base is what its paragraph on bases says."""
    base, said = model.options().get("base"), found.said.get("With base", "")
    whole = re.search(r"e_ij = .*? \+ the terms named\)", said)
    if base is None or whole is None or not said.startswith(f"{base} "):
        return found.formula
    return re.sub(r"e_ij = .*? \+ the terms named[^)]*\)", lambda _: whole[0], found.formula)


def _as_fed(model: VariantModel, text: str) -> str:
    return text if model.options().get("input_feeding", True) else FED.sub("", text)
