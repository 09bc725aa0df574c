"""The stages of dvc.yaml and what flows between them, without the systems and seeds of a matrix."""

import re
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from docs.make.imports import ROOT, Arrow
from stages.files.strict_yaml import read_yaml

ITEM = re.compile(r"\$\{((?:item|key)(?:\.\w+)?)\}")
SCRIPT = re.compile(r"-m stages\.(\w+)")
SAME = {"${also_reverse}": "${systems}", "${read_outs}": "${systems}"}
"""Lists of systems that lie in another one."""


class Stage(NamedTuple):
    """A stage: the script that it runs, the paths that it reads and writes."""

    script: str
    reads: list[PurePosixPath]
    writes: list[PurePosixPath]


def stages() -> dict[str, Stage]:
    """The stages of dvc.yaml in its order."""
    written = read_yaml(ROOT / "dvc.yaml")["stages"]
    return {name: _stage(block) for name, block in written.items()}


def arrows(of: dict[str, Stage]) -> set[Arrow]:
    """From each stage to those that read what it writes."""
    return {
        (first, then)
        for first, one in of.items()
        for then, other in of.items()
        if first != then and any(_touch(made, read) for made in one.writes for read in other.reads)
    }


def _stage(block: dict[str, Any]) -> Stage:
    items = {f"item.{name}": _source(source) for name, source in block.get("matrix", {}).items()}
    if "foreach" in block:  # over systems and those that they are initialised from
        items = {"key": block["foreach"], "item": "${systems}"}
        block = block["do"]
    command = block["cmd"] if isinstance(block["cmd"], str) else block["cmd"][-1]  # the guard stands before it
    (script,) = set(SCRIPT.findall(command))
    return Stage(script, paths(block["deps"], items), paths(block["outs"], items))


def _source(source: str | list[str]) -> str:
    """Where a matrix takes an item from; of a list of one it is that one."""
    one = source if isinstance(source, str) else source[0]
    return SAME.get(one, one)


def paths(written: list[Any], items: dict[str, str]) -> list[PurePosixPath]:
    """The paths of a list of dependencies or outputs, in which one with flags is a mapping.

    An item becomes what it is taken from: two stages meet in a path if they run over one list.
    """
    names = [one if isinstance(one, str) else next(iter(one)) for one in written]
    return [PurePosixPath(ITEM.sub(lambda item: items[item[1]], name)) for name in names]


def _touch(one: PurePosixPath, other: PurePosixPath) -> bool:
    """Whether they are the same, or one is a folder that the other lies in."""
    return one == other or one in other.parents or other in one.parents
