"""One section of params.yaml -> one frozen, validated object; an unknown or missing key is an error with its name."""

from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from stages.files.errors import InputError

PARAMS = Path("params.yaml")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one written in C takes a tenth of the time

Section = TypeVar("Section")


def _not_reserved(name: str) -> str:
    if name == "provenance":
        raise ValueError(f"{name!r} is the name of a folder beside the reports; choose another name")
    return name


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
"""Of a variant. Names become parts of paths and commands, so nothing else is let through."""
StudyName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$"), AfterValidator(_not_reserved)]
"""Of a study or a corpus."""


class Settings(BaseModel):
    """Base of every settings class: immutable, and it knows no key that it does not declare."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


def read(path: Path = PARAMS) -> dict[str, Any]:
    """The whole file as plain data.

    Raises:
        InputError: the file is missing or is not YAML; says where.
    """
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
    except FileNotFoundError:
        raise InputError(f"{path} is missing; run from the folder that holds it") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} must be a mapping of settings")
    return content


def section(name: str, kind: type[Section] | Any, path: Path = PARAMS) -> Section:
    """The section with the dotted ``name`` ('corpora.demo.training') as an object of ``kind``.

    Raises:
        InputError: the section is missing, or a key in it is unknown, missing or of the wrong type.
    """
    return validate(find(read(path), name, path), kind, name, path)


def find(content: dict[str, Any], name: str, path: Path = PARAMS) -> Any:
    """The part of ``content`` with the dotted ``name``.

    Raises:
        InputError: a key on the way is missing; names it and its neighbours.
    """
    node: Any = content
    for depth, key in enumerate(name.split(".")):
        if not isinstance(node, dict) or key not in node:
            above = ".".join(name.split(".")[:depth]) or "the top level"
            there = ", ".join(map(str, node)) if isinstance(node, dict) else repr(node)
            raise InputError(f"{path}: {name} is missing: {above} has no {key!r} (it has: {there})")
        node = node[key]
    return node


def validate(node: Any, kind: type[Section] | Any, name: str, path: Path = PARAMS) -> Section:
    """``node`` as an object of ``kind`` (a settings class or any type pydantic understands).

    Raises:
        InputError: naming every offending key below ``name``.
    """
    try:
        return TypeAdapter(kind).validate_python(node)
    except ValidationError as error:
        problems = [
            f"{'.'.join([name, *map(str, problem['loc'])])}: {_sentence(problem)}" for problem in error.errors()
        ]
        raise InputError(f"{path}: " + "; ".join(problems)) from None


def _sentence(problem: Any) -> str:
    of_no_key_pattern = problem["type"] == "string_pattern_mismatch" and problem["loc"][-1] == problem["input"]
    if problem["type"] == "extra_forbidden" or of_no_key_pattern:
        return "unknown key; remove it or correct its spelling"
    if problem["type"] == "missing":
        return "missing key; add it"
    return f"{problem['msg']} (is {problem['input']!r})"
