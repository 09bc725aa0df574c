"""What was tried where a system of a study surprised, read from `looked_into.yaml` in this folder."""

from collections.abc import Mapping
from pathlib import Path

from stages.reporting.claims.judge import Judged
from stages.settings.params import Name, StudyName, read, validate

FILE = Path(__file__).parent / "looked_into.yaml"


def looked_into(study: str, file: Path = FILE) -> dict[str, str]:
    """System -> what was tried and found.

    Raises:
        InputError: the file is not of names of studies, in each of which systems have a text.
    """
    return validate(read(file), dict[StudyName, dict[Name, str]], "looked_into", file).get(study, {})


def of_claim(judged: Judged, looked: Mapping[str, str]) -> list[str]:
    """The systems of a claim that were looked into."""
    return [name for name in judged.claim.claim.ours.weights if name in looked]
