"""How bad input is refused: one sentence that names the file."""

from pathlib import Path


def refusal(error: Exception, path: Path) -> str:
    """That an error is such a sentence; the sentence."""
    text = str(error)
    assert str(path) in text and "\n" not in text, repr(text)
    return text
