"""A disk without space."""

from pathlib import Path

import pytest

from stages.files import atomic


def fill_disk(monkeypatch: pytest.MonkeyPatch, end: str = "") -> None:
    """Every file written whose name ends in ``end`` is the device that is always full: a real ENOSPC."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")

    def opening(path: Path, mode: str, **options: object):
        return open(full if "w" in mode and path.name.endswith(end) else path, mode, **options)

    monkeypatch.setattr(atomic, "open", opening, raising=False)
