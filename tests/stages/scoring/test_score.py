"""The score stage by its command line: what it writes and prints, and what it leaves after an error."""

import json

import pandas as pd
import pytest

from stages.files.errors import InputError
from stages.scoring.catalogue import GROUPS
from stages.scoring.inputs import read_best
from stages.scoring.sentence_files import write_counts
from stages.scoring.summary_line import summary_line
from stages.scoring.values import values
from tests.stages.scoring.toy_system import run_stage, score_files, write_lines


def test_main_writes_scores_and_counts_and_prints_one_row(files, monkeypatch, capsys):
    run_stage(files, monkeypatch, "scores/toy_nmt-1")
    folder = files / "scores" / "toy_nmt-1"
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert scores == json.loads(json.dumps(score_files(files, best=read_best(files / "wordalign", "forward"))))
    assert capsys.readouterr().out == summary_line("toy_nmt", 1, scores["metrics"]) + "\n"
    names = {"scores.json", "dev.csv", "test.csv", "other.csv", "gold.csv"}
    assert {path.name for path in folder.iterdir()} == names


def test_counts_on_disk_add_up_to_the_scores(files, monkeypatch):
    run_stage(files, monkeypatch, "scores")
    scores = json.loads((files / "scores" / "scores.json").read_text(encoding="utf-8"))
    places = {"tests": ("test", scores["tests"]["test"]), "dev": ("dev", scores["dev"]), "gold": ("gold", None)}
    for kind, (name, expected) in places.items():
        frame = pd.read_csv(files / "scores" / f"{name}.csv")
        assert frame["sentence"].tolist() == [1, 2]
        rows = {
            group: frame[[f"{group}.{field}" for field in fields]].to_numpy()
            for group, fields in GROUPS.items()
            if f"{group}.{fields[0]}" in frame
        }
        expected = expected or scores["metrics"]
        assert json.loads(json.dumps(values(rows, kind))) == {key: expected[key] for key in values(rows, kind)}


def test_a_set_without_counts_has_its_sentences(tmp_path):
    write_counts(tmp_path / "gold.csv", {}, 3)
    assert (tmp_path / "gold.csv").read_text() == "sentence\n1\n2\n3\n"


def test_main_leaves_nothing_behind_after_an_error(files, monkeypatch):
    write_lines(files / "corpus" / "gold.align", ["0-0", "2-0"])
    with pytest.raises(InputError, match="outside"):
        run_stage(files, monkeypatch, "scores/toy_nmt-1")
    assert not [*(files / "work").rglob("scores*")]


def test_the_line_of_a_system_reads_well(files):
    line = summary_line("toy_nmt", 1, score_files(files)["metrics"])
    assert line.startswith("toy_nmt           seed 1  BLEU ")
    assert line.endswith("1.2M params  9,100 tok/s  74 s")
