"""The committed params.yaml, read once."""

import copy
from typing import Any

import yaml

from tests.helpers.paths import ROOT

TEXT = (ROOT / "params.yaml").read_text(encoding="utf-8")
_CONTENT = yaml.safe_load(TEXT)


def params() -> dict[str, Any]:
    """All of it, to edit."""
    return copy.deepcopy(_CONTENT)
