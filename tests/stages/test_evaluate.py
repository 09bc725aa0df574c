"""The evaluate stage: the sets it writes, their lines, and what it leaves behind after an error."""

import contextlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages import evaluate
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.run_directory import RunDirectory
from stages.files.scratch import end, scratch_folder
from stages.files.text import read_lines, write_lines
from stages.settings.training import Decoding
from stages.translating.decoding import search, without_unk
from stages.translating.translations import read_no_unk, read_translations
from tests.helpers import tiny
from tests.helpers.decoding import ATTENTIVE, load

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer
SYSTEMS = [*ATTENTIVE, "rnnencdec"]
FIELDS = {"source", "target", "attention", "score", "positional", "finished"}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.training
@pytest.mark.parametrize("variant", SYSTEMS)
def test_the_stage_writes_every_set(variant):
    folder = tiny.evaluated(variant)
    whole = ["dev.jsonl", "test.jsonl", "dev.forced.jsonl", "gold.forced.jsonl"]
    assert names(folder) == {*whole, "test.no_unk.jsonl", "transform.json", "dev.coverage.jsonl"}
    for file in map(folder.joinpath, whole):
        part = file.name.split(".")[0]
        text = tiny.study() / tiny.TEXT
        source, target = (read_lines(text / f"{part}.{language}") for language in (tiny.SOURCE, tiny.TARGET))
        translations = read_translations(file)
        assert [" ".join(one.source) for one in translations] == list(source)
        if "forced" in file.name:
            assert [" ".join(one.target) for one in translations] == list(target)
        assert [one.word_attention is None for one in translations] == [variant == "rnnencdec"] * len(source)


@pytest.mark.parametrize("flags", [[], ["--reverse"]])
def test_the_stage_deletes_the_scratch_folder_of_its_training(tmp_path, monkeypatch, flags):
    """DVC has recorded the trained model when it runs this stage."""
    of = ["--corpus", tiny.CORPUS, "--direction", "forward", "--segmentation", "bpe"]
    monkeypatch.setattr(sys, "argv", ["evaluate", *of, "--variant", "one_epoch", "--seed", "1", *flags])
    monkeypatch.setattr(evaluate, "evaluate", lambda **_: None)
    monkeypatch.chdir(tmp_path)
    shutil.copy(tiny.study() / "params.yaml", tmp_path)
    folders = RunDirectory(Path("work") / tiny.CORPUS / "forward-bpe")
    for scratch in map(folders.scratch, (False, True)):
        end(scratch_folder(scratch, "one_epoch-1", [], []))
    evaluate.main()
    (left,) = tmp_path.rglob("one_epoch-1-*")
    assert left.parent.name == ("scratch" if flags else "scratch-reverse")


@pytest.mark.training
@pytest.mark.parametrize("variant", ATTENTIVE)
def test_lines_of_the_stage(variant):
    for file in tiny.evaluated(variant).glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            assert record.keys() == (FIELDS | {"row"} if "no_unk" in file.name else FIELDS)
            weights = np.array(record["attention"])
            assert weights.shape == (len(record["target"]), len(record["source"]))
            assert weights.sum(1) == pytest.approx(1, abs=1e-5 * len(record["source"]))
            assert record["source"][-1] == "</s>" and record["finished"] == (record["target"][-1] == "</s>")


@pytest.mark.training
@pytest.mark.parametrize("variant", SYSTEMS)
def test_the_stage_forbids_unk_where_no_piece_is_unknown(variant):
    system, given = load(variant), tiny.pieces("test", tiny.SOURCE)
    decoding = Decoding.model_validate(tiny.params()["corpora"]["tiny"]["decoding"])
    expected = without_unk(system, search(system, given, decoding, progress=None), decoding, progress=None)
    file = tiny.evaluated(variant) / "test.no_unk.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [one["row"] for one in records] == list(range(1, len(given)))  # row 0 has letters that train lacks
    for one in records:
        assert (one["source"], one["target"]) == (expected[one["row"]].source, expected[one["row"]].target)
        assert one["positional"] == pytest.approx(expected[one["row"]].positional, abs=1e-4)


@pytest.mark.training
@pytest.mark.parametrize(("side", "letters"), [(tiny.SOURCE, "Xq"), (tiny.TARGET, "Xq")])
def test_an_unknown_piece_on_either_side_keeps_a_sentence_out(tmp_path, side, letters):
    bpe = tmp_path / "bpe"
    shutil.copytree(tiny.study() / tiny.BPE, bpe)
    lines = read_lines(bpe / f"test.{side}")
    write_lines(bpe / f"test.{side}", [*lines[:4], letters, *lines[5:]])
    model = tiny.trained("rnnsearch_star") / "model.pt"
    options = {"text": tiny.TEXT, "bpe": bpe, "data": tiny.DATA, "model": model, "out": tmp_path / "out"}
    with contextlib.chdir(tiny.study()):
        evaluate.evaluate(tiny.CORPUS, "forward", False, control=None, **options)
    rows = set(read_no_unk(tmp_path / "out" / "test.no_unk.jsonl"))
    assert rows == set(range(len(lines))) - {0, 4}


def test_the_stage_leaves_nothing_behind_after_an_error(tmp_path, capsys):
    (tmp_path / "model.pt").write_bytes(b"no checkpoint")
    options = {"text": tiny.TEXT, "bpe": tiny.BPE, "data": tiny.DATA, "model": tmp_path / "model.pt"}
    with contextlib.chdir(tiny.study()), pytest.raises(SystemExit) as end:
        run(lambda: evaluate.evaluate(tiny.CORPUS, "forward", False, control=None, out=tmp_path / "out", **options))
    assert end.value.code == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert names(tmp_path) == {"model.pt"}


@pytest.mark.training
@pytest.mark.parametrize(
    ("lines", "message"),
    [(None, r"gold\.en: no such file"), (["the cat"], r"gold\.zh has 3 lines but .*gold\.en has 1")],
)
def test_a_set_that_does_not_fit_leaves_nothing_behind(tmp_path, lines, message):
    bpe = tmp_path / "bpe"
    shutil.copytree(tiny.study() / tiny.BPE, bpe)
    (bpe / "gold.en").unlink()
    if lines:
        write_lines(bpe / "gold.en", lines)
    model = tiny.trained("rnnsearch_star") / "model.pt"
    options = {"text": tiny.TEXT, "bpe": bpe, "data": tiny.DATA, "model": model, "out": tmp_path / "out"}
    with contextlib.chdir(tiny.study()), pytest.raises(InputError, match=message):
        evaluate.evaluate(tiny.CORPUS, "forward", False, control=None, **options)
    assert names(tmp_path) == {"bpe"}


@pytest.mark.training
def test_a_model_of_the_reverse_direction_says_how_likely_dev_is(tmp_path):
    """The other way round, all of it, and nothing else."""
    model = tiny.trained("cohn_all", reverse=True) / "model.pt"
    options = {"text": tiny.TEXT, "bpe": tiny.BPE, "data": tiny.DATA_REVERSE, "model": model, "out": tmp_path / "out"}
    with contextlib.chdir(tiny.study()), tiny.quiet():
        evaluate.evaluate(tiny.CORPUS, "forward", True, control=None, **options)
    assert names(tmp_path / "out") == {"dev.forced.jsonl"}
    found = read_translations(tmp_path / "out" / "dev.forced.jsonl")
    text = tiny.study() / tiny.TEXT
    assert [" ".join(one.source) for one in found] == list(read_lines(text / f"dev.{tiny.TARGET}"))
    assert [" ".join(one.target) for one in found] == list(read_lines(text / f"dev.{tiny.SOURCE}"))
