"""Settings of an aligner that is done at once, and the links that a file holds, for the tests."""

from pathlib import Path

from stages.alignment import pharaoh
from stages.files.text import read_lines
from stages.settings.alignment import AlignmentSettings

SETTINGS = AlignmentSettings(model=3, iterations=(2, 2, 4), samplers=2, null_prior=0.2, seed=1)


def links_of(path: Path) -> list[list[tuple[int, int]]]:
    return [pharaoh.parse(line) for line in read_lines(path, allow_empty=True)]
