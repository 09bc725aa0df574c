"""The example of docs/translate.md in Python, as it stands there."""

import re

import numpy as np
import pytest

from tests.helpers.paths import ROOT


@pytest.mark.slow
def test_the_example_translates_and_has_the_attention(monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/translate.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(ROOT)
    there: dict = {}
    exec(code, there)  # of a file of this repository
    found = there["answer"].hypotheses[0]
    assert found.text == "a dog runs through the snow." and found.text in capsys.readouterr().out
    weights = found.words.attention
    assert weights.shape == (8, 8) and np.allclose(weights.sum(1), 1, atol=1e-3)
