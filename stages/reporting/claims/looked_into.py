"""What was tried where a system of a study surprised, read from `looked_into.yaml` in this folder."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.files.errors import InputError
from stages.reporting.claims.judged import Judged
from stages.reporting.tables.table import MISSING
from stages.settings.params import Name, StudyName, read, validate

FILE = Path(__file__).parent / "looked_into.yaml"
CLAIM = re.compile(r"\{([a-z0-9-]+/[a-z0-9-]+)\}")


def looked_into(study: str, judged: Sequence[Judged]) -> dict[str, str]:
    """System -> what was tried and found.

    judged: claims, of which a text has the size of the study's difference where it names one: `{kuang-2018/aer}`.

    Raises:
        InputError: the file is not of names of studies, in each of which systems have a text; or a text names a claim
            that there is not.
    """
    found = validate(read(FILE), dict[StudyName, dict[Name, str]], "looked_into", FILE).get(study, {})
    differences = {one.claim.id: one.difference for one in judged}

    def size(match: re.Match[str]) -> str:
        if match[1] not in differences:
            raise InputError(f"{FILE}: {study} names the claim {match[1]}, which there is not")
        difference = differences[match[1]]
        return MISSING if difference is None else f"{abs(difference):.1f}"

    return {system: CLAIM.sub(size, text) for system, text in found.items()}


def of_claim(judged: Judged, looked: Mapping[str, str]) -> list[str]:
    """The system of a claim that was looked into, or the others of it: what was found of a control is no news of the
    system that it controls."""
    ours = judged.claim.claim.ours
    return [ours.system] if ours.system in looked else [name for name in ours.weights if name in looked]
