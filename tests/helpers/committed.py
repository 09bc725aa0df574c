"""The committed params.yaml, read once, with the study `demo` chosen: it has nearly all systems."""

import copy
import re
from typing import Any

import yaml

from tests.helpers.paths import ROOT

_CHOICE = re.compile(r"(?<=\n)<<: \*\S+\n")


def choosing(study: str) -> str:
    """The committed text with `study`, in YAML, in the place of the line that chooses one."""
    text, lines = _CHOICE.subn(lambda _: f"{study}\n", (ROOT / "params.yaml").read_text(encoding="utf-8"))
    assert lines == 1
    return text


_CONTENT = yaml.safe_load(choosing("<<: *demo"))
_CONTENT["variants"] = {name: {"arch": name} | (own or {}) for name, own in _CONTENT["variants"].items()}


def params() -> dict[str, Any]:
    """All of it, to edit; each variant names its architecture."""
    return copy.deepcopy(_CONTENT)
