"""Drawings as text in Mermaid's language, which GitHub, GitLab and VS Code draw within a page."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise

import networkx

from docs.make.flow import arrows, stages
from docs.make.imports import PLUGINS, Arrow, imports, layers


def flow() -> str:
    """The stages, read from dvc.yaml."""
    found = stages()
    return _drawn(found, arrows(found), {})


def packages() -> str:
    """The packages of the pipeline and its scripts, read from the imports; scripts that import the same in one box."""
    found = reduced(imports("stages"))
    scripts, *below = layers("stages")
    alike: dict[frozenset[str], list[str]] = {}
    for script in scripts:
        alike.setdefault(frozenset(end for start, end in found if start == script), []).append(script)
    boxes = {first: f"{first}({'<br>'.join([first, *others])})" for first, *others in alike.values()}
    names = [*boxes, *chain(*below), PLUGINS]
    return _drawn(names, {(start, end) for start, end in found if start in names}, boxes)


def plugins() -> str:
    """The packages of the models, read from the imports."""
    return _drawn(chain(*layers(PLUGINS)), imports(PLUGINS), {})


def _drawn(names: Iterable[str], arrows: Iterable[Arrow], boxes: Mapping[str, str]) -> str:
    """boxes: name -> how Mermaid writes its box, if not with the name alone."""
    unsaid = dict(boxes)
    rows = ["-->".join(unsaid.pop(name, name) for name in row) for row in rows_of(names, reduced(arrows))]
    return "\n".join(["```mermaid", "flowchart TB", *(f"    {row}" for row in rows), "```"])


def reduced(arrows: Iterable[Arrow]) -> set[Arrow]:
    """Without those that a longer way of arrows says too."""
    return set(networkx.transitive_reduction(networkx.DiGraph(arrows)).edges)


def rows_of(names: Iterable[str], arrows: Iterable[Arrow]) -> Iterator[list[str]]:
    """Every arrow once, the longest way of those that are left first; and every name without arrows."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(sorted(arrows))
    yield from ([name] for name in networkx.isolates(graph))
    while graph.edges:
        row = networkx.dag_longest_path(graph)
        graph.remove_edges_from([*pairwise(row)])
        yield row
