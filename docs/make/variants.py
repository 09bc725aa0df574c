"""The tables of docs/variants.md, from what models and terms declare about themselves."""

import re

from fairseq_plugins.declarations import COMBINATIONS, Declared
from fairseq_plugins.declarations import systems as declared_systems
from fairseq_plugins.listing import tables
from fairseq_plugins.listing.options import choices as declared_choices

YEAR = re.compile(r"\b(?:19|20)\d\d")


def systems() -> str:
    """What there is, as it was published: the base, which is code, then paper by paper; combinations at the end."""
    return tables.systems_table(sorted(declared_systems(), key=_published))


def choices() -> str:
    """Which default is whose choice."""
    return tables.choices_table(declared_choices())


def _published(system: Declared) -> tuple[bool, int, str, str]:
    years = [int(year) for year in YEAR.findall(system.paper)]
    return system.family == COMBINATIONS, min(years, default=0), system.family or "", system.name
