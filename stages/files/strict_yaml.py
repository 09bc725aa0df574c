"""YAML that says one thing only: what a settings file may be. It is read by DVC's parser, so both read the same."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from stages.files.errors import InputError

DEPTH = 50
"""Levels of a file. libyaml's own composer recurses without a limit, and ends the process with a segmentation fault."""
VALUES = 100_000
"""Of a file, an alias counting as what it stands for: a few lines of aliases of aliases stand for billions."""

TAG = "tag:yaml.org,2002:"
PLAIN = {f"{TAG}{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map", "merge")}


def read_yaml(path: Path) -> Any:
    """The content of a YAML file: mappings with text as keys, lists, text, numbers, truth values and null.

    Raises:
        InputError: the file is missing, cannot be read or is not UTF-8; it is not YAML; a key stands twice or is not
            text; a value is a date or of a kind of its own; it is nested or repeated beyond reason. Says where.
    """
    return parse(_text(path), path)


def parse(text: str, path: Path) -> Any:
    """The same of what such a file holds, or would hold."""
    loader = loader_of(text)
    try:
        _check_depth(path, text)
        root = loader.get_single_node()
        if root is None:
            return None
        nodes = list(_nodes(root))
        _check_size(path, nodes)
        for node in nodes:
            _check_node(path, node)
        return loader.construct_document(root)
    except InputError:
        raise
    except YAMLError as error:
        raise InputError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    except ValueError as error:  # Python's own, for an integer of more than 4,300 digits
        raise InputError(f"{path} is not valid YAML: {error}") from None
    finally:
        loader.dispose()


def loader_of(text: str) -> Any:
    """DVC's parser, before the first node of a text."""
    return YAML(typ="safe").get_constructor_parser(text)[0]


def _text(path: Path) -> str:
    try:
        if not path.is_file() and path.exists():
            raise InputError(f"{path} is no file; put the settings there")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"{path} is missing; run from the folder that holds it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check its permissions") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {error.start + 1} of the file (0x{error.object[error.start]:02x}) is not UTF-8; save the "
            "file as UTF-8, e.g. with iconv -f latin1 -t utf-8"
        ) from None


def _check_depth(path: Path, text: str) -> None:
    depth = 0
    for event in YAML(typ="safe").parse(text):
        if isinstance(event, CollectionStartEvent):
            depth += 1
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        if depth > DEPTH:
            raise InputError(f"{path}, line {event.start_mark.line + 1}: nested more than {DEPTH} levels deep")


def _nodes(root: Node) -> Iterator[Node]:
    """Every node once, those in a node after it."""
    seen, waiting = set(), [root]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(_children(node))


def _children(node: Node) -> list[Node]:
    if isinstance(node, MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, SequenceNode) else []


def _check_size(path: Path, nodes: list[Node]) -> None:
    sizes: dict[int, int] = {}

    def size(node: Node) -> int:
        if id(node) not in sizes:
            sizes[id(node)] = VALUES  # what stands inside itself is endless
            sizes[id(node)] = 1 + sum(size(child) for child in _children(node))
        return sizes[id(node)]

    if size(nodes[0]) > VALUES:
        raise InputError(f"{path} stands for more than {VALUES:,} values by its aliases; write it without them")


def _check_node(path: Path, node: Node) -> None:
    if node.tag not in PLAIN:
        kind = str(node.tag).removeprefix(TAG)
        raise InputError(f"{path}, line {_line(node)}: {_short(node)} is of the kind {kind}; write text in quotes")
    if isinstance(node, MappingNode):
        _check_keys(path, node)


def _check_keys(path: Path, mapping: MappingNode) -> None:
    lines: dict[str, int] = {}
    for key, _ in mapping.value:
        if key.tag not in (f"{TAG}str", f"{TAG}merge"):
            raise InputError(f"{path}, line {_line(key)}: {_short(key)} is a key but not text; write it in quotes")
        if key.value in lines:
            raise InputError(
                f"{path}, line {_line(key)}: the key {key.value} stands on line {lines[key.value]} already; keep one"
            )
        lines[key.value] = _line(key)


def _line(node: Node) -> int:
    return node.start_mark.line + 1


def _short(node: Node) -> str:
    return node.value[:40] if isinstance(node, ScalarNode) else "what begins here"
