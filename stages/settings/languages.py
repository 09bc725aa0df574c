"""Source and target language of a corpus in one direction."""

from typing import Any, Literal

from stages.settings.params import find, read, validate
from stages.text.languages import without_region

Direction = Literal["forward", "reverse"]
"""Of the translation, seen from the corpus: forward is source -> target."""
Segmentation = Literal["bpe", "words"]
"""What the tokens of a study are."""


def languages(
    corpus: str, direction: Direction, reverse: bool = False, content: dict[str, Any] | None = None
) -> tuple[str, str]:
    """(source, target): as ``corpora.<corpus>.corpus`` names them, or the other way round for ``reverse``.

    reverse: the reverse of ``direction``, for the systems that are trained in both. content: of params.yaml, if it has
    been read.
    """
    content = read() if content is None else content
    keys = (f"corpora.{corpus}.corpus.{side}" for side in ("source", "target"))
    source, target = (without_region(validate(find(content, key), str, key)) for key in keys)
    return (source, target) if (direction == "forward") != reverse else (target, source)
