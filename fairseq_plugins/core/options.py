"""Typed options of systems, terms and mechanisms: one dataclass field = one command-line flag of fairseq.

A component declares its options as a frozen dataclass whose fields carry ``option(...)`` metadata. Components may share
a field (``history_dim`` is read by both histories); sharing means the same name, type, default and help.
"""

import dataclasses
import math
from argparse import ArgumentParser, Namespace
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin


class RefusedError(ValueError):
    """An option, a padding or data that a system cannot do with; says what to do."""


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The options of a term that has none."""


def option(default: Any, help: str) -> Any:
    """A dataclass field with its default and the text that ``--help`` shows."""
    return dataclasses.field(default=default, metadata={"help": help})


def add_options(parser: ArgumentParser, *classes: type) -> None:
    """One flag ``--field-name`` per distinct field of the option classes.

    Raises:
        ValueError: two classes declare a field of the same name differently.
    """
    fields: dict[str, dataclasses.Field] = {}
    for field in (field for cls in classes for field in dataclasses.fields(cls)):
        first = fields.setdefault(field.name, field)
        if (first.type, first.default, first.metadata) != (field.type, field.default, field.metadata):
            raise ValueError(f"the option {field.name} is declared twice, and differently")
    for name, field in fields.items():
        kind, choices = _kind(field.type)
        text = f"{field.metadata['help']} (default: {field.default})"
        # fairseq applies architecture defaults only to flags left at None, so ours come from the dataclass on reading.
        parser.add_argument("--" + name.replace("_", "-"), type=kind, choices=choices, help=text, default=None)


def read_options(cls: type, args: Namespace):
    """The options of ``cls`` from parsed arguments; a flag that was not given takes the dataclass's default.

    Raises:
        RefusedError: a number below 0 or without bounds, or a width below 1.
    """
    given = {field.name: getattr(args, field.name, None) for field in dataclasses.fields(cls)}
    for name, value in given.items():
        least = 1 if name.endswith("_dim") else 0
        if isinstance(value, int | float) and not least <= value < math.inf:
            raise RefusedError(f"--{name.replace('_', '-')} is {value}, but must be a number of at least {least}")
    return cls(**{name: value for name, value in given.items() if value is not None})


def _kind(annotation: Any) -> tuple[Any, tuple | None]:
    """argparse's ``type`` and ``choices`` of a field's annotation."""
    if get_origin(annotation) in (UnionType, Union):  # Literal[...] | None is a Union before Python 3.14
        annotation = next(kind for kind in get_args(annotation) if kind is not type(None))
    if get_origin(annotation) is Literal:
        choices = get_args(annotation)
        return type(choices[0]), choices
    return (_boolean if annotation is bool else annotation), None


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{text!r} is neither true nor false")
    return text.lower() == "true"
