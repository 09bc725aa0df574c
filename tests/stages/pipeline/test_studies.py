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

BLOCK = {
    "study": "tried", "corpus": "text", "direction": "forward", "segmentation": "bpe", "run": "work/text/forward-bpe",
    "seeds": [1], "systems": ["a", "b"], "fine_tuned": {"c": "a"}, "decoded": {}, "also_reverse": [], "read_outs": [],
    "smt": [], "training_sizes": [], "released": {}, "released_smt": [],
}  # fmt: skip


def test_each_study_with_what_it_has_and_what_it_took(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content = {
        "study": "tried",
        "studies": {
            "tried": BLOCK | {"seeds": [1, 2], "smt": ["smt"]},
            "untried": BLOCK | {"study": "untried", "corpus": "mine", "run": "work/mine/forward-bpe"},
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


def test_what_is_wrong_with_a_study_stands_in_its_row(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    wrong = {
        "null": (None, "studies.null: Input should be a mapping (is null)"),
        "short": ({key: BLOCK[key] for key in BLOCK if key != "smt"}, "studies.short.smt: missing key; add it"),
        "seed": (BLOCK | {"seeds": 3}, "studies.seed.seeds: Input should be a list, [] if nothing is in it (is 3)"),
        "number": (BLOCK | {"corpus": 5}, "studies.number.corpus: Input should be a valid string (is 5)"),
        "lost": (BLOCK | {"corpus": "lost", "run": "work/lost/forward-bpe"}, "corpora.lost.corpus is missing: "),
    }
    studies_of = {name: block for name, (block, _) in wrong.items()} | {"right": BLOCK}
    content = {"studies": studies_of, "corpora": {"text": {"corpus": {"limit": 7}}}}
    Path("params.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    monkeypatch.setattr("sys.argv", ["studies"])
    studies.main()
    lines = capsys.readouterr().out.splitlines()
    for line, (name, (_, said)) in zip(lines[1:], wrong.items(), strict=False):
        assert " ".join(line.split()).startswith(f"{name} params.yaml: {said}")
    assert " ".join(lines[6].split()) == "right text 3 1 7 no report yet –" and len(lines[6]) < 100


@pytest.mark.process
def test_who_has_read_enough_of_it_may_leave():
    """As `make studies | head` does."""
    command = [sys.executable, "-m", "stages.pipeline.studies"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 141
