"""One section of params.yaml -> one frozen, validated object; an unknown or missing key is an error with its name."""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, overload

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.settings.names import NAME, PARAMS, RESERVED, SEEDS, STUDY_NAME, shown

SAID = {
    "list_type": "Input should be a list, [] if nothing is in it",
    "tuple_type": "Input should be a list",
    "dict_type": "Input should be a mapping, {} if nothing is in it",
    "model_type": "Input should be a mapping",
    "model_attributes_type": "Input should be a mapping",
}
"""pydantic speaks of arrays and objects, or of dictionaries."""

Section = TypeVar("Section")


def _not_reserved(name: str) -> str:
    if name in RESERVED:
        raise ValueError(f"{name!r} is the name of a folder of ours; choose another name")
    return name


Name = Annotated[str, Field(pattern=NAME)]
"""Of a variant. Names become parts of paths and commands, so nothing else is let through."""
StudyName = Annotated[str, Field(pattern=STUDY_NAME), AfterValidator(_not_reserved)]
"""Of a study or a corpus."""
Seed = Annotated[int, Field(ge=0, lt=SEEDS)]
Count = Annotated[int, Field(ge=1, le=10**8)]
"""Of sentences, words or pieces: more than any corpus that fits here has."""


class Settings(BaseModel):
    """Base of every settings class: immutable, and it knows no key that it does not declare. Numbers are finite."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, allow_inf_nan=False)


def read(path: Path = PARAMS) -> dict[str, Any]:
    """The whole file as plain data.

    Raises:
        InputError: the file is missing or is not YAML of one meaning; says where.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise InputError(f"{path} must be a mapping of settings")
    return content


@overload
def section(name: str, kind: type[Section], path: Path = PARAMS) -> Section: ...
@overload
def section(name: str, kind: Any, path: Path = PARAMS) -> Any: ...
def section(name: str, kind: Any, path: Path = PARAMS) -> Any:
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


@overload
def validate(node: Any, kind: type[Section], name: str, path: Path = PARAMS) -> Section: ...
@overload
def validate(node: Any, kind: Any, name: str, path: Path = PARAMS) -> Any: ...
def validate(node: Any, kind: Any, name: str, path: Path = PARAMS) -> Any:
    """``node`` as an object of ``kind`` (a settings class or any type pydantic understands): a number is no truth
    value, and text is no number.

    Raises:
        InputError: naming every offending key below ``name``.
    """
    try:
        return _adapter(kind).validate_json(json.dumps(node, default=str), strict=True)  # strict with lists for tuples
    except ValidationError as error:
        problems = [
            f"{'.'.join([name, *map(str, problem['loc'])])}: {_sentence(problem)}" for problem in error.errors()
        ]
        raise InputError(f"{path}: " + "; ".join(problems)) from None


@cache
def _adapter(kind: Any) -> TypeAdapter:
    return TypeAdapter(kind)


def _sentence(problem: Any) -> str:
    of_no_key_pattern = problem["type"] == "string_pattern_mismatch" and problem["loc"][-1] == problem["input"]
    if problem["type"] == "extra_forbidden" or of_no_key_pattern:
        return "unknown key; remove it or correct its spelling"
    if problem["type"] == "missing":
        return "missing key; add it"
    if problem["type"] == "union_tag_invalid":
        key, known = problem["ctx"]["discriminator"].strip("'"), problem["ctx"]["expected_tags"]
        return f"{key} should be one of {known} (is {shown(problem['input'][key])})"
    if problem["type"] == "value_error" and isinstance(problem["input"], dict | list):  # what is wrong in it is said
        return problem["msg"].removeprefix("Value error, ")
    return f"{SAID.get(problem['type'], problem['msg']).removeprefix('Value error, ')} (is {shown(problem['input'])})"
