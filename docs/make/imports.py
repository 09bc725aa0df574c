"""Who imports whom, read from the code, in the layers that pyproject.toml allows."""

import tomllib
from functools import cache
from pathlib import Path

from grimp import build_graph

from docs.make.graph import Graph, by_depth

ROOT = Path(__file__).parents[2]
PLUGINS = "fairseq_plugins"


def layers(container: str) -> list[list[str]]:
    """The layers of `container` in the contracts of pyproject.toml, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (one for one in settings["contracts"] if one.get("containers") == [container])
    return [line.replace("|", ":").replace(" ", "").split(":") for line in contract["layers"]]


def imports(container: str) -> Graph:
    """The packages and modules directly in `container`, and which of them imports which.

    A layer whose names import each other is cut into as many as that takes. The pipeline's has one name more, at the
    bottom: the plug-ins.
    """
    allowed = layers(container) + ([[PLUGINS]] if container != PLUGINS else [])
    names = {name for layer in allowed for name in layer}
    modules = _modules()
    ends = {(_name(start, container), _name(end, container)) for start in modules for end in modules[start]}
    found = {(start, end) for start, end in ends if start != end and {start, end} <= names}
    cut = [by_depth(layer, {(a, b) for a, b in found if {a, b} <= set(layer)}) for layer in allowed]
    return Graph([layer for layers_of_one in cut for layer in layers_of_one], found)


@cache
def _modules() -> dict[str, set[str]]:
    """Module -> the project's modules that it imports."""
    graph = build_graph("stages", PLUGINS, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def _name(module: str, container: str) -> str | None:
    """What stands for a module in the graph of a container; None: nothing does."""
    top, _, rest = module.partition(".")
    if top == container:
        return rest.partition(".")[0] or None
    return top if container != PLUGINS else None
