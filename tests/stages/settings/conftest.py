"""Settings of a test's own folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.stages.settings.edited import edited


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that makes the edited settings those of the current folder."""
    monkeypatch.chdir(tmp_path)

    def write_params(*edit: Any, **parts: Any) -> None:
        content = edited(*edit, **parts)
        Path("params.yaml").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")  # YAML too, at once

    return write_params
