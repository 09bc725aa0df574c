"""The rows of the report: `variants` of params.yaml, which need only the data, then `continued`, which need a model."""

from typing import Annotated, Any

from pydantic import Field

from stages.files.errors import InputError
from stages.settings.params import PARAMS, Settings, find, read, validate
from stages.settings.training import Training, Variant

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Rows = dict[Name, Variant]


class RowSections(Settings):
    """Which rows there are, and what each begins with.

    variants: rows that train from random weights.
    continued: rows that start from the trained model of another row.
    starts: where each of those starts: `<variant>`, or `<variant>_both_ways` for the models of both directions.
    opposite: variants that are also trained in the opposite direction.
    """

    variants: Annotated[Rows, Field(min_length=1)]
    continued: Rows
    starts: dict[Name, list[Name]]
    opposite: list[Name]


def sections() -> RowSections:
    """The four sections, held against each other.

    Raises:
        InputError: a name is unknown, stands twice or is missing.
    """
    content = read()
    found = validate({name: find(content, name) for name in RowSections.model_fields}, RowSections, "params")
    problems = list(_problems(found))
    if problems:
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    return found


def rows() -> Rows:
    """Every row by name, in the order of the report."""
    found = sections()
    return found.variants | found.continued


def row(name: str) -> dict[str, Any]:
    """The block of one row, as it stands in the file.

    Raises:
        InputError: there is no such row.
    """
    content = read()
    variants, continued = find(content, "variants"), find(content, "continued")
    if name not in variants and name not in continued:
        raise InputError(f"{PARAMS}: variants has no {name!r} (it has: {', '.join([*variants, *continued])})")
    return find(content, f"{'variants' if name in variants else 'continued'}.{name}")


def training_settings(corpus: str, name: str) -> Training:
    """``corpora.<corpus>.training`` with what the row's own ``training`` overrides.

    Raises:
        InputError: an unknown or missing key, or an unknown corpus or row.
    """
    base, own = find(read(), f"corpora.{corpus}.training"), row(name)["training"]
    return validate({**base, **own}, Training, f"{name}.training over corpora.{corpus}.training")


def base_of(start: str) -> tuple[str, bool]:
    """A key of ``starts`` -> the variant whose models it names, and whether it is those of both directions."""
    return start.removesuffix("_both_ways"), start.endswith("_both_ways")


def _problems(found: RowSections):
    listed = [name for names in found.starts.values() for name in names]
    for name in sorted(set(found.variants) & set(found.continued)):
        yield f"{name} stands in variants and in continued; keep one"
    for name in found.continued:
        if listed.count(name) != 1:
            yield f"continued.{name} must stand in one list of starts, it stands in {listed.count(name)}"
    for name in sorted(set(listed) - set(found.continued)):
        yield f"starts names {name}, which continued does not have"
    for start, names in found.starts.items():
        base, both_ways = base_of(start)
        if names and base not in found.variants:
            yield f"starts.{start}: variants has no {base}"
        elif names and both_ways and base not in found.opposite:
            yield f"starts.{start}: {base} must stand in opposite, so that both directions are trained"
    for name in sorted(set(found.opposite) - set(found.variants)):
        yield f"opposite: variants has no {name}"
