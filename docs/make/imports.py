"""Who imports whom, read from the code, and in which layers pyproject.toml allows it."""

import tomllib
from functools import cache
from pathlib import Path

from grimp import build_graph

ROOT = Path(__file__).parents[2]
PLUGINS = "fairseq_plugins"
Arrow = tuple[str, str]


def layers(container: str) -> list[list[str]]:
    """The names directly in `container` by its layers in the contracts of pyproject.toml, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (one for one in settings["contracts"] if one.get("containers") == [container])
    return [line.replace("|", ":").replace(" ", "").split(":") for line in contract["layers"]]


def imports(container: str) -> set[Arrow]:
    """Which of the packages and modules directly in `container` imports which, the plug-ins as one."""
    names = {PLUGINS, *(name for layer in layers(container) for name in layer)}
    modules = _modules()
    ends = {(_name(start, container), _name(end, container)) for start in modules for end in modules[start]}
    return {(start, end) for start, end in ends if start != end and {start, end} <= names}


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
