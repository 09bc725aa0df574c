"""Which differences do not matter, read from `margins.yaml` in this folder."""

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.reporting.papers.paper_tables import Printed
from stages.settings.params import validate

FILE = Path(__file__).parent / "margins.yaml"


class Margin(Printed):
    """measures: names of measures, without set and direction; why: so large."""

    measures: list[str]
    margin: Annotated[float, Field(gt=0)]
    why: str


def margin(measure: str) -> float:
    """measure: of a claim, such as `tests.average.bleu`, `pos_confusion.V.V` or `perplexity_reverse`.

    Raises:
        InputError: the file is no list of margins, or none or two of them are of this measure.
    """
    name = "pos_confusion" if measure.startswith("pos_confusion.") else measure.rpartition(".")[2]
    found = _margins(FILE)
    if name.removesuffix("_reverse") not in found:
        raise InputError(f"{FILE}: {name} has no margin; add one, with its reason, before a verdict is read by it")
    return found[name.removesuffix("_reverse")]


@cache
def _margins(file: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in validate(read_yaml(file), list[Margin], "margins", file):
        for measure in one.measures:
            if measure in found:
                raise InputError(f"{file}: {measure} has two margins; remove one")
            found[measure] = one.margin
    return found
