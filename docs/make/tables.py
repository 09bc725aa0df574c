"""Lists for the pages, made from dvc.yaml."""

from docs.make.flow import arrows, stages
from docs.make.graph import by_depth


def stage_list() -> str:
    """Every stage with what it does, in the order in which the data flows; those that do the same in one item."""
    found = stages()
    names: dict[str, list[str]] = {}
    for layer in by_depth(list(found), arrows(found)):
        for name in layer:
            names.setdefault(found[name].says, []).append(f"`{name}`")
    return "\n".join(f"- {', '.join(same)}: {says}" for says, same in names.items())
