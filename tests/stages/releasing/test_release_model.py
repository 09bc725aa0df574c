"""`make release MODEL=…`: which system it takes, and what the file holds of it."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch

from stages.files.errors import InputError
from stages.pipeline import release
from stages.releasing import half_precision, model_parts
from stages.releasing.archive import opened
from stages.releasing.model_file import ABOUT, KIND, AboutModel, shipped, unpack
from tests.helpers.report_study import SOURCE, write
from tests.stages.releasing.conftest import RUN

STAR = Path("reports/released/demo/forward-bpe/star-2.model.tar.xz")


@pytest.fixture
def trained(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with what the stages before the training left, and weights that are none."""
    for name in ("dict.zh.txt", "dict.en.txt"):
        write(RUN / "bin" / name, f"{name} 1\n")
    write(RUN / "bpe/codes.zh", "#version: 0.2\na b\n")
    write(RUN / "bpe/codes.en", "#version: 0.2\nc d\n")
    write(Path("work/demo/wordalign/lexicon.source-target.tsv"), "x\ty\t0.6\t5\nx\tz\t0.4\t5\nw\tv\t1.0\t1\n")
    monkeypatch.setattr(model_parts, "halved", lambda path: f"half of {path}".encode())
    return project


def asked(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["release", *arguments])
    release.main()


def about_model() -> AboutModel:
    with TemporaryDirectory() as folder:
        return unpack(STAR, Path(folder))


def test_the_file_holds_what_translating_takes(trained, monkeypatch, capsys):
    asked(monkeypatch, "--model", "star", "--seed", "2")
    with opened(STAR, KIND) as members:
        files = dict(members)
    about = json.loads(files.pop(ABOUT))
    assert files["model.pt"] == f"half of {RUN}/models/star/2/model.pt".encode()
    assert files["codes.zh"].endswith(b"a b\n") and "codes.en" not in files
    assert files["lexicon.source-target.tsv"] == b"x\ty\t0.6\t5\nw\tv\t1.0\t1\n"
    assert files.keys() == about["files"].keys() >= {"stats.json", "dict.zh.txt", "dict.en.txt"}
    assert (about["study"], about["seed"], about["initialised_from"]) == ("small", 2, "plain")
    assert about["title"] == "star" and about["commit"] == "0123456789abcdef"
    assert about["scores"].keys() == {"test", "test2"} and about["scores"]["test"]["bleu"] > 0
    assert about["training"] == json.loads((RUN / "models/star/2/training.json").read_text())
    assert about["settings"]["variants.star"] == {"arch": "rnnsearch_star"} and about["code"]["train"]
    text = "".join(data.decode() for data in files.values())
    assert not any(line in text for line in SOURCE)
    said = capsys.readouterr().out
    assert f"make translate MODEL={STAR}" in said and "sha256 " in said
    assert about_model().languages == ("zh", "en")
    assert [(one.variant, one.seed, one.path) for one in shipped()] == [("star", 2, STAR)]


def test_the_first_seed_unless_one_is_named_and_no_results(trained, monkeypatch):
    asked(monkeypatch, "--model", "plain")
    assert [path.name for path in Path("reports/released").rglob("*.xz")] == ["plain-1.model.tar.xz"]


def test_the_same_model_keeps_its_file(trained, monkeypatch, capsys):
    asked(monkeypatch, "--model", "star", "--seed", "2")
    before = STAR.read_bytes()
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9" * 6)
    asked(monkeypatch, "--model", "star", "--seed", "2")
    assert STAR.read_bytes() == before and capsys.readouterr().out.endswith(f"{STAR}: as it was\n")
    monkeypatch.setattr(model_parts, "halved", lambda path: b"other weights")
    asked(monkeypatch, "--model", "star", "--seed", "2")
    assert about_model().model_extra["commit"] == "fedcba9" * 6
    STAR.write_bytes(before[:100])
    asked(monkeypatch, "--model", "star", "--seed", "2")
    assert about_model().seed == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "sta"], "study small trains no system 'sta'; it trains plain, star"),
        (["--model", "star", "--seed", "3"], "study small has no seed '3'; its seeds are 1, 2"),
        (["--model", "star", "--seed", "x"], "has no seed 'x'"),
        (["--seed", "2"], "SEED is for MODEL=…"),
        (["--model", "star", "--replace", "1"], "REPLACE is for results"),
    ],
)
def test_what_the_study_does_not_train(trained, monkeypatch, arguments, message):
    with pytest.raises(InputError, match=message):
        asked(monkeypatch, *arguments)


def test_what_is_not_up_to_date_is_refused(trained, monkeypatch):
    pipeline = release.Pipeline()
    pipeline.changed = lambda stages, say: [stage for stage in stages if "star-2" in stage]
    monkeypatch.setattr(release, "Pipeline", lambda: pipeline)
    asked(monkeypatch, "--model", "star", "--seed", "1")
    with pytest.raises(InputError, match="star-2: not up to date, or not there; `make repro` makes it"):
        asked(monkeypatch, "--model", "star", "--seed", "2")
    assert not STAR.exists()


def test_a_missing_file_is_one_sentence(trained, monkeypatch):
    (RUN / "bin/dict.en.txt").unlink()
    with pytest.raises(InputError, match=r"dict\.en\.txt: cannot be read .*; `make repro` makes it"):
        asked(monkeypatch, "--model", "star", "--seed", "2")
    assert not STAR.exists()


@pytest.mark.parametrize("weight", [7e4, -7e4, float("inf"), float("nan")])
def test_a_weight_that_half_precision_cannot_hold(weight):
    weights = torch.tensor([0.1, weight])
    with pytest.raises(InputError, match=r"W: has a weight of .*, which half precision cannot hold"):
        half_precision._half(weights, "W:")


def test_small_weights_and_whole_numbers():
    small = torch.tensor([1e-5, -3e-7, 1e-9, 0.1])
    assert (half_precision._half(small, "W").float() - small).abs().max() < 3e-5
    assert (half_precision._half(small[:3], "W").float() - small[:3]).abs().max() <= 2**-25
    whole = torch.tensor([70_000])
    assert torch.equal(half_precision._half(whole, "starts"), whole)
