"""Which claims wait for a study, read from `waits_for.yaml` in this folder."""

from collections import Counter
from pathlib import Path

from stages.files.errors import InputError
from stages.reporting.claims.claims import all_claims, own_claims
from stages.settings.params import StudyName, read, validate

FILE = Path(__file__).parent / "waits_for.yaml"


def waits_for(file: Path = FILE) -> dict[str, list[str]]:
    """Study or plan -> ids of the claims that it would speak to.

    Raises:
        InputError: the file is not of lists of claims that there are, or one stands twice.
    """
    found = validate(read(file), dict[StudyName, list[str]], "waits_for", file)
    counted = Counter(claim for claims in found.values() for claim in claims)
    known = {claim.id for claim in (*all_claims(), *own_claims())}
    for claim, number in counted.items():
        if claim not in known:
            raise InputError(f"{file}: there is no claim {claim}; correct its spelling or remove it")
        if number > 1:
            raise InputError(f"{file}: {claim} stands {number} times; it waits for one study")
    return found
