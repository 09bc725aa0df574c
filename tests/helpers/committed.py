"""The committed params.yaml, read once, with the study `demo` chosen: it has nearly all systems."""

import copy
import re
from typing import Any

from stages.files.strict_yaml import parse
from tests.helpers.paths import ROOT

_CHOICE = re.compile(r"(?<=\n)<<: \*\S+\n")


def choosing(study: str) -> str:
    """The committed text with `study`, in YAML, in the place of the line that chooses one."""
    text, lines = _CHOICE.subn(lambda _: f"{study}\n", (ROOT / "params.yaml").read_text(encoding="utf-8"))
    assert lines == 1
    return text


_CONTENT = parse(choosing("<<: *demo"), ROOT / "params.yaml")


def params() -> dict[str, Any]:
    """All of it, to edit."""
    return copy.deepcopy(_CONTENT)
