"""What a setting may ask of the machine that it is used on: known there, and not where params.yaml is read."""

import os

from stages.files.errors import InputError
from stages.settings.params import PARAMS

PER_CORE = 4


def check_threads(threads: int, where: str) -> None:
    """Raise InputError when there are more than `PER_CORE` threads for each core. ``where``: the setting."""
    cores = os.cpu_count() or 1
    if threads > PER_CORE * cores:
        raise InputError(
            f"{PARAMS}: {where} is {threads}, but this machine has {cores} cores; set at most {PER_CORE * cores}"
        )
