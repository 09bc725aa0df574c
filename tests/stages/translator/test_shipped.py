"""The model that comes with the project does what docs/translate.md says of it, without any corpus."""

import hashlib
import json
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from stages.releasing.model_file import shipped, unpack
from stages.translator.__main__ import main
from tests.helpers import tiny
from tests.helpers.paths import ROOT

PAGE = (ROOT / "docs/translate.md").read_text(encoding="utf-8")
LARGEST = 16_000_000  # bytes


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(ROOT)
    (one,) = shipped()
    return one.path


@pytest.mark.slow
def test_it_translates_the_sentence_of_the_page_and_draws_it(file, tmp_path, monkeypatch):
    asked = re.search(r'\$ echo "(.+)" \| make translate MAP=map\.png\n    (.+)\n', PAGE)
    (tmp_path / "text").write_text(f"{asked[1]}\n", encoding="utf-8")
    (tmp_path / "params.yaml").symlink_to(ROOT / "params.yaml")
    (tmp_path / "reports").symlink_to(ROOT / "reports")
    monkeypatch.chdir(tmp_path)  # where no stage has left anything
    out = TextIOWrapper(BytesIO())
    with monkeypatch.context() as patch, tiny.quiet():
        patch.setattr(sys, "stdout", out)
        main(["--input", "text", "--map", "map.png"])
    assert out.buffer.getvalue().decode() == f"{asked[2]}\n"
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_has_its_sum_and_scores_beside_the_studys(file, tmp_path):
    data = file.read_bytes()
    assert len(data) <= LARGEST and hashlib.sha256(data).hexdigest() in PAGE
    assert f"`{file}` ({len(data) / 1e6:.1f} MB)" in PAGE
    about = unpack(file, tmp_path)
    assert (about.variant, about.seed, about.study) == ("ba_nmt", 1, "multi30k-de-en")
    system = json.loads((ROOT / f"reports/{about.study}/metrics.json").read_text())["systems"][about.variant]
    scores = about.model_extra["scores"]
    assert {*scores, "average"} == system["mean"]["tests"].keys()
    for name, own in scores.items():
        mean, sd = (system[of]["tests"][name]["bleu"] for of in ("mean", "sd"))
        assert f"| `{name}` | {own['bleu']:.2f} | {mean:.2f} ± {sd:.2f} |\n" in PAGE
