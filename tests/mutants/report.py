"""The table of all mutants and of the tests that noticed them."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from fairseq_plugins import registry
from stages.files.text import read_lines, write_lines
from stages.settings.params import section
from stages.settings.variants import Variant

from .mutant import ROOT, Mutant

PARAMS = ROOT / "params.yaml"
OUT = ROOT / "reports" / "mutants.md"
BESIDE_VARIANTS = {("kernels",): "all", ("stages",): "all"}


def exercised() -> dict[str, set[str]]:
    """Each variant of params.yaml that is of this project with the names of its architecture and of its terms."""
    found = {}
    for name, variant in section("variants", dict[str, Variant], PARAMS).items():
        if variant.model.arch in registry.names():
            found[name] = {variant.model.arch, *(variant.model.terms or []), *_terms(variant.model.arch)}
    return found


def variants_of(mutant: Mutant, parts: Mapping[str, set[str]]) -> list[str]:
    """The variants that it breaks; none if it is in the kernels or the stages."""
    return [variant for variant, names in parts.items() if names & set(mutant.of)]


def write(killers: Mapping[Mutant, str], waiting: Collection[str], out: Path = OUT) -> None:
    """One row for each mutant, in the order of the catalogue; waiting: the tests that only `make test-all` runs."""
    parts = exercised()
    late = [mutant for mutant, killer in killers.items() if killer in waiting]
    lines = [
        "# Deliberate mistakes",
        "",
        f"`make mutants` makes these {len(killers)} mistakes, one at a time, in the source of one file as it is "
        "imported or compiled, and runs the tests that should notice, the one that stands here already before the "
        "others. The table names the first one that fails; without the mistake it passes.",
        "",
        f"`make test` alone notices {len(killers) - len(late)} of them "
        f"({100 * (len(killers) - len(late)) / len(killers):.1f} %). "
        + (
            "These wait for `make test-all`, for what notices them trains a system, starts a program or computes for "
            "seconds:"
            if late
            else ""
        ),
        "",
        *(f"- `{mutant.path}`: {mutant.what}" for mutant in late),
        *([""] if late else []),
        "| variants | file | mistake | noticed by |",
        "|---|---|---|---|",
    ]
    for mutant, killer in killers.items():
        whose = BESIDE_VARIANTS.get(mutant.of) or ", ".join(variants_of(mutant, parts))
        cells = (whose, f"`{mutant.path}`", mutant.what, f"`{killer}`")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    write_lines(out, lines)


def noticed_by(table: Path = OUT) -> dict[str, str]:
    """The test that ``write`` has put beside each mistake; by ``Mutant.name``."""
    rows = [line for line in read_lines(table, allow_empty=True) if line.endswith("` |")]
    cells = [[cell.replace("\\|", "|").strip("`") for cell in re.split(r" ?(?<!\\)\| ?", row)[1:-1]] for row in rows]
    return {f"{path}: {what}": killer for _, path, what, killer in cells}


def _terms(arch: str) -> set[str]:
    registry.register(arch)
    from fairseq.models import MODEL_REGISTRY

    return {term.name for term in MODEL_REGISTRY[arch].terms}
