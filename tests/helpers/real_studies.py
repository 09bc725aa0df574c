"""The studies of params.yaml on text that people have written, whose results support claims."""

from tests.helpers import committed

_CONTENT = committed.params()

ON_REAL_TEXT = [
    name
    for name, study in _CONTENT["studies"].items()
    if _CONTENT["corpora"][study["corpus"]]["corpus"]["kind"] != "demo"
]
