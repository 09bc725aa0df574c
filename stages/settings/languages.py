"""Source and target language of a corpus in one direction."""

from typing import Literal

from stages.settings.params import section
from stages.text.languages import without_region

Direction = Literal["forward", "reverse"]
"""Of the translation, seen from the corpus: forward is source -> target."""
Segmentation = Literal["bpe", "words"]
"""What the tokens of a study are."""


def languages(corpus: str, direction: Direction, reverse: bool = False) -> tuple[str, str]:
    """(source, target): as ``corpora.<corpus>.corpus`` names them, or the other way round for ``reverse``.

    reverse: the reverse of ``direction``, for the systems that are trained in both.
    """
    source, target = (without_region(section(f"corpora.{corpus}.corpus.{side}", str)) for side in ("source", "target"))
    return (source, target) if (direction == "forward") != reverse else (target, source)
