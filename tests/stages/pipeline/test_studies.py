"""`make studies`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from stages.pipeline import studies
from stages.releasing.results_file import results_path
from tests.helpers.paths import ROOT

BLOCK = {"corpus": "text", "direction": "forward", "segmentation": "bpe", "systems": ["a", "b"],
         "fine_tuned": {"c": "a"}, "decoded": {}, "smt": [], "released": {}, "released_smt": []}  # fmt: skip


def test_each_study_with_what_it_has_and_what_it_took(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content = {
        "study": "tried",
        "studies": {
            "tried": BLOCK | {"seeds": [1, 2], "smt": ["smt"]},
            "untried": BLOCK | {"corpus": "mine", "seeds": [1]},
        },
        "corpora": {"text": {"corpus": {"limit": None}}, "mine": {"corpus": {"limit": None, "train": ["x", "y"]}}},
    }
    Path("params.yaml").write_text(yaml.safe_dump(content))
    metrics = {"hours": {"trainings": 6, "cpu": 12.4, "gpu": 0.6}, "recipe": {"data": {"train_pairs": {"kept": 40000}}}}
    Path("reports/tried").mkdir(parents=True)
    Path("reports/tried/metrics.json").write_text(json.dumps(metrics))
    for seed in (1, 2):
        path = results_path("text", "forward", "bpe", "a", seed)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr("sys.argv", ["studies"])
    studies.main()
    lines = capsys.readouterr().out.splitlines()
    took = "6 trainings, 12 h of CPU + 36 min of GPU"
    assert " ".join(lines[1].split()) == f"tried * text 3 + SMT 2 40,000 {took} 1 of 3 systems"
    assert " ".join(lines[2].split()) == "untried mine 3 1 all of its text no report yet –"
    assert "RELEASED=1" in lines[-2]


@pytest.mark.process
def test_who_has_read_enough_of_it_may_leave():
    """As `make studies | head` does."""
    command = [sys.executable, "-m", "stages.pipeline.studies"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 141
