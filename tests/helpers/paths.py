"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the repository."""


def files(folder: Path) -> set[str]:
    """All that are below a folder, as seen from there."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
