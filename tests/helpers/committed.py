"""The committed params.yaml, read once."""

import copy
from typing import Any

import yaml

from tests.helpers.paths import ROOT

_TEXT = (ROOT / "params.yaml").read_text(encoding="utf-8")
_CONTENT = yaml.safe_load(_TEXT)


def params() -> dict[str, Any]:
    """All of it, to edit."""
    return copy.deepcopy(_CONTENT)


def choosing(study: str) -> str:
    """Its text with `study`, in YAML, in the place of the line that chooses one."""
    assert _TEXT.count("\n<<: *demo\n") == 1
    return _TEXT.replace("\n<<: *demo\n", f"\n{study}\n")
