"""The stage of statistical word alignment: links, lexica and scores of a whole corpus."""

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml

from stages import wordalign
from stages.alignment import pharaoh
from stages.alignment.symmetrise import grow_diag_final_and
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.scoring import aligner_scores
from tests.helpers.alignment import SETTINGS
from tests.helpers.corpora.made_up import make_demo

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 sentence pairs of the demo; its test set ends with two of the gold pairs."""
    folder = make_demo(tmp_path_factory.mktemp("demo") / "corpus", train=300, dev=20, test=10, gold=40)
    for language in ("zh", "en"):
        lines = [*read_lines(folder / f"test.{language}"), *read_lines(folder / f"gold.{language}")[:2]]
        write_lines(folder / f"test.{language}", lines)
    return folder


@pytest.fixture(scope="module")
def aligned(corpus: Path) -> Path:
    out = corpus.parent / "wordalign"
    wordalign.wordalign(corpus, SETTINGS, out)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_folder_holds_links_lexica_and_scores(corpus: Path, aligned: Path) -> None:
    sets, methods = ("train", "dev", "gold"), ("forward", "reverse", "gdfa")
    tables = {"lexicon.source-target.tsv", "lexicon.target-source.tsv", "scores.json"}
    assert set(contents(aligned)) == {f"{name}.{method}" for name in sets for method in methods} | tables
    for name in sets:
        lengths = [[len(line.split()) for line in read_lines(corpus / f"{name}.{side}")] for side in ("zh", "en")]
        for method in methods:
            found = pharaoh.read(aligned / f"{name}.{method}")
            for links, source, target in zip(found, *lengths, strict=True):
                assert links == sorted(set(links))
                assert all(i < source and j < target for i, j in links)
    assert {path.name for path in aligned.parent.iterdir()} == {"corpus", "wordalign"}


def test_files_of_the_directions_and_of_both_agree(aligned: Path) -> None:
    forward, reverse, both = (pharaoh.read(aligned / f"gold.{method}") for method in ("forward", "reverse", "gdfa"))
    assert forward != reverse
    assert [sorted(grow_diag_final_and(f, r)) for f, r in zip(forward, reverse, strict=True)] == both


def test_lexica_count_the_links_of_train_between_words_as_they_are_written(corpus: Path, aligned: Path) -> None:
    rows = [line.split("\t") for line in read_lines(aligned / "lexicon.source-target.tsv")]
    links = pharaoh.read(aligned / "train.gdfa")
    assert sum(int(row[3]) for row in rows) == sum(map(len, links))
    cased = {word for line in read_lines(corpus / "train.en") for word in line.split()}
    assert {row[1] for row in rows} <= cased and any(row[1] != row[1].lower() for row in rows)
    turned = {(row[1], row[0], row[3]) for row in rows}
    back = [line.split("\t") for line in read_lines(aligned / "lexicon.target-source.tsv")]
    assert {(row[0], row[1], row[3]) for row in back} == turned


def test_scores_are_better_than_chance_and_say_how_they_came_about(aligned: Path) -> None:
    record = json.loads((aligned / "scores.json").read_text())
    assert list(record["aligners"]) == ["forward", "reverse", "gdfa"]
    for method, values in record["aligners"].items():
        assert values == aligner_scores.score(aligned / f"gold.{method}", aligned.parent / "corpus", ("zh", "en"))
        assert values["aer"] < 60
    recipe = record["recipe"]
    assert recipe["program"] == "eflomal 2.0.0"
    assert recipe["model"] == "3 (iterations: 2 x IBM 1, 2 x HMM, 4 x HMM with fertilities)"
    assert "the gold pairs are aligned together with the training data" in recipe["text"]


def test_train_dev_and_gold_are_one_text(corpus: Path, aligned: Path) -> None:
    """Test sets are left out: some hold the gold pairs again, which would confirm their own errors."""
    pairs = sum(len(read_lines(corpus / f"{name}.zh")) for name in ("train", "dev", "gold"))
    text = json.loads((aligned / "scores.json").read_text())["recipe"]["text"]
    assert text.endswith(f"(train, dev, gold: one text of {pairs} pairs)")


def test_the_same_input_gives_the_same_bytes_and_another_seed_others(corpus: Path, aligned: Path) -> None:
    wordalign.wordalign(corpus, SETTINGS, corpus.parent / "again/wordalign")
    assert contents(corpus.parent / "again/wordalign") == contents(aligned)
    wordalign.wordalign(corpus, SETTINGS.model_copy(update={"seed": 2}), corpus.parent / "other/wordalign")
    other = contents(corpus.parent / "other/wordalign")
    assert all(other[name] != content for name, content in contents(aligned).items())
    shutil.rmtree(corpus.parent / "again")
    shutil.rmtree(corpus.parent / "other")


def test_the_command_reads_its_settings(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.model_dump(mode="json") | {"model": 1, "iterations": [2]}
    Path("params.yaml").write_text(yaml.safe_dump({"corpora": {"demo": {"wordalign": settings}}}))
    Path("work/demo").mkdir(parents=True)
    Path("work/demo/corpus").symlink_to(corpus)
    monkeypatch.setattr("sys.argv", ["wordalign", "--corpus", "demo"])
    wordalign.main()
    assert (
        json.loads(Path("work/demo/wordalign/scores.json").read_text())["recipe"]["model"]
        == "1 (iterations: 2 x IBM 1)"
    )


@pytest.fixture
def damaged(corpus: Path, tmp_path: Path) -> Path:
    """A copy of the corpus to damage."""
    return shutil.copytree(corpus, tmp_path / "corpus")


def test_without_a_gold_set_there_are_no_scores(damaged: Path, tmp_path: Path) -> None:
    stats = json.loads((damaged / "stats.json").read_text())
    (damaged / "stats.json").write_text(json.dumps(stats | {"gold": False}))
    for path in damaged.glob("gold.*"):
        path.unlink()
    wordalign.wordalign(damaged, SETTINGS, tmp_path / "out")
    record = json.loads((tmp_path / "out/scores.json").read_text())
    none = {"aer": None, "align_precision": None, "align_recall": None}
    assert record["aligners"] == dict.fromkeys(("forward", "reverse", "gdfa"), none)
    assert not list((tmp_path / "out").glob("gold.*"))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: (c / "dev.en").unlink(), "dev.en: no such file"),
        (lambda c: write_lines(c / "train.en", ["one"]), "train.zh has 300 lines but .*train.en has 1"),
        (lambda c: write_lines(c / "gold.align", ["0-0"]), "gold.align has 1 lines but .*gold.zh has 40"),
        (lambda c: (c / "stats.json").write_text("{}"), "stats.json lacks source, target, tests, gold"),
    ],
)
def test_bad_input_is_one_clear_error_and_leaves_the_last_output(
    damaged: Path, tmp_path: Path, damage, message: str
) -> None:
    write_lines(tmp_path / "out/last", ["output"])
    damage(damaged)
    with pytest.raises(InputError, match=message):
        wordalign.wordalign(damaged, SETTINGS, tmp_path / "out")
    assert contents(tmp_path / "out") == {"last": b"output\n"}
    assert set(os.listdir(tmp_path)) == {"corpus", "out"}
