"""Source and target language of a corpus in one direction."""

from typing import Literal

from stages.settings.params import section

Direction = Literal["forward", "reverse"]


def languages(corpus: str, direction: Direction, opposite: bool = False) -> tuple[str, str]:
    """(source, target): as ``corpora.<corpus>.corpus`` names them, or the other way round for ``reverse``.

    ``opposite`` turns them once more: for the systems that are trained in both directions.
    """
    pair = (section(f"corpora.{corpus}.corpus.source", str), section(f"corpora.{corpus}.corpus.target", str))
    return pair if (direction == "forward") != opposite else pair[::-1]
