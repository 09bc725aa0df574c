"""How tables and figures call the systems: the section `titles` of params.yaml, which no training depends on."""

import unicodedata
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from stages.settings.params import Name, find, validate


def _one_line(title: str) -> str:
    odd = [character for character in title if unicodedata.category(character) in UNSEEN]
    if odd or not title.strip():
        without = f", without U+{ord(odd[0]):04X}" if odd else ""
        raise ValueError(f"a title is a line of text{without}; write one")
    return title


UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Categories of what no title holds: control characters, line ends, what turns the direction of writing."""
Title = Annotated[str, Field(max_length=200), AfterValidator(_one_line)]
Titles = dict[Name, Title]


def titles_of(names: Iterable[str], content: dict[str, Any]) -> dict[str, str]:
    """System -> its title, or its name if it has none. content: of params.yaml.

    Raises:
        InputError: the section is missing, or a title is not one line of text.
    """
    given = validate(find(content, "titles"), Titles, "titles")
    return {name: given.get(name, name) for name in names}
