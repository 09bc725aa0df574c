"""What was tried where a system of a study surprised, read from `looked_into.yaml` in this folder."""

from collections.abc import Mapping
from pathlib import Path

from stages.reporting.claims.judged import Judged
from stages.settings.params import Name, StudyName, read, validate

FILE = Path(__file__).parent / "looked_into.yaml"


def looked_into(study: str, file: Path = FILE) -> dict[str, str]:
    """System -> what was tried and found.

    Raises:
        InputError: the file is not of names of studies, in each of which systems have a text.
    """
    return validate(read(file), dict[StudyName, dict[Name, str]], "looked_into", file).get(study, {})


def of_claim(judged: Judged, looked: Mapping[str, str]) -> list[str]:
    """The system of a claim that was looked into, or the others of it: what was found of a control is no news of the
    system that it controls."""
    ours = judged.claim.claim.ours
    return [ours.system] if ours.system in looked else [name for name in ours.weights if name in looked]
