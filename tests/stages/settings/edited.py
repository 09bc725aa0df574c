"""The committed settings but for what a test edits, and how they are refused."""

from typing import Any

import pytest

from stages.files.errors import InputError
from tests.helpers import committed

REMOVED = object()
BASELINE = "rnnsearch_star"


def edited(key: str = "", value: Any = None, **parts: Any) -> dict[str, Any]:
    """The committed settings but for one key and parts."""
    content = committed.params() | parts
    if key:
        *above, last = key.split("/")
        node = content
        for name in above:
            node = node[name]
        if value is REMOVED:
            del node[last]
        else:
            node[last] = value
    return content


def alone(variant: str) -> dict[str, Any]:
    """The parts of a study of this system and the baseline."""
    return {"systems": sorted({BASELINE, variant}), "fine_tuned": {}, "also_reverse": []}


def refused(call, *args) -> str:
    """The one-line message with which ``call`` refuses its input."""
    with pytest.raises(InputError) as error:
        call(*args)
    message = str(error.value)
    assert "\n" not in message and len(message) < 3000
    return message
