"""Tables for the pages, made from dvc.yaml."""

from collections.abc import Iterable, Sequence

from docs.make.flow import arrows, stages
from docs.make.graph import by_depth


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def stage_table() -> str:
    """Every stage with what it does, in the order in which the data flows."""
    found = stages()
    order = [name for layer in by_depth(list(found), arrows(found)) for name in layer]
    rows = ([f"`{name}`", f"`stages/{found[name].script}.py`", found[name].says] for name in order)
    return markdown(["stage", "script", "what it does"], rows)
