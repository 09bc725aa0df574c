"""Every option that some system or term declares, with what is said of its default.

An option class may say of its fields where their defaults come from, in a section of its docstring::

    Choices:
        <option>: <what the sources say> -> <whose choice the default is>
"""

import dataclasses
import inspect
import re
from typing import Any, Literal, NamedTuple, get_args, get_origin

from fairseq_plugins import registry
from fairseq_plugins.models.attnmt import term_named, term_names

from fairseq.models import ARCH_MODEL_REGISTRY

SIZE = "_dim"
"""How the options end that are widths: a corpus sets those for all its systems."""


class Choice(NamedTuple):
    """One option whose default somebody had to choose.

    Attributes:
        others: the other values of an option that has few.
        sources: what papers and codes say.
        whose: the paper's, the code's or ours.
    """

    option: str
    default: Any
    others: tuple[Any, ...]
    help: str
    sources: str
    whose: str


def option_classes() -> list[type]:
    """The option classes of all systems and terms, each once, after those that it is made of; bases come first."""
    registry.register_all()
    of_systems = [kind for arch in registry.names() for kind in ARCH_MODEL_REGISTRY[arch].option_types()]
    kinds = [*of_systems, *(term_named(name).Options for name in term_names())]
    with_bases = dict.fromkeys(base for kind in kinds for base in reversed(kind.__mro__))
    return [base for base in with_bases if hasattr(base, "__dataclass_fields__")]


def size_names() -> set[str]:
    """The widths that some architecture reads: options ending in ``_dim``."""
    return {field.name for kind in option_classes() for field in dataclasses.fields(kind) if field.name.endswith(SIZE)}


def choices() -> list[Choice]:
    """What the option classes say of their defaults, system by system."""
    return [choice for kind in option_classes() for choice in choices_of(kind)]


def choices_of(kind: type) -> list[Choice]:
    """The section `Choices:` of a class's own docstring.

    Raises:
        ValueError: a line of it is not of the form above, or the class has no such option.
    """
    fields, found = {field.name: field for field in dataclasses.fields(kind)}, []
    for line in _section(inspect.cleandoc(kind.__doc__ or "")):
        said = re.fullmatch(r"(\w+): (.+) -> (.+)", line)
        if not said or said[1] not in fields:
            raise ValueError(f"{kind.__name__}: {line!r} is not '<option>: <what sources say> -> <whose choice>'")
        field = fields[said[1]]
        others = tuple(value for value in _values(field.type) if value != field.default)
        found.append(Choice(field.name, field.default, others, field.metadata["help"], said[2], said[3]))
    return found


def _section(text: str) -> list[str]:
    """The entries below `Choices:`, lines that belong together joined."""
    _, there, below = text.partition("\nChoices:\n")
    lines = below.split("\n\n")[0].splitlines() if there else []
    entries: list[str] = []
    for line in lines:
        if line.startswith(" " * 8):
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    return entries


def _values(annotation: Any) -> tuple[Any, ...]:
    """The values that an annotation names."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if annotation is bool:
        return (False, True)
    return tuple(value for part in get_args(annotation) for value in _values(part))
