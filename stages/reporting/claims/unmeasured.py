"""What the papers claim and nothing here measures, read from `unmeasured.yaml` in this folder."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.reporting.papers.paper_tables import NAMES, Printed
from stages.settings.params import validate

FILE = Path(__file__).parent / "unmeasured.yaml"


class Unmeasured(Printed):
    """paper: name of its file; place, says: as of a `Claim`; why: it is not measured."""

    paper: str
    place: Annotated[str, Field(min_length=1)]
    says: Annotated[str, Field(min_length=1)]
    why: Annotated[str, Field(min_length=1)]


def unmeasured(file: Path = FILE) -> list[Unmeasured]:
    """In the order of the file.

    Raises:
        InputError: the file is no list of them, or a paper is unknown.
    """
    found = validate(read_yaml(file), list[Unmeasured], "unmeasured", file)
    if odd := sorted({one.paper for one in found} - set(NAMES)):
        raise InputError(f"{file}: there is no paper {', '.join(odd)} (there are: {', '.join(NAMES)})")
    return found
