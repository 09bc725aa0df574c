"""The models of an ensemble: further ones beside the first, as the stage `share` puts them there."""

from pathlib import Path

FURTHER = "model-{}.pt"
"""From 2 on."""


def models(first: Path) -> list[Path]:
    """`first` and those beside it, of which a system that is no ensemble has none."""
    return [first, *sorted(first.parent.glob(FURTHER.format("*")))]
