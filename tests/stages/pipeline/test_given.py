"""A user's own text, which DVC does not see: the runner looks before it asks DVC what has changed."""

import os
import sys
from pathlib import Path

import pytest
import yaml

from stages.corpora import given
from stages.files.text import write_lines
from stages.settings.corpora import DemoSettings
from stages.settings.study_run import corpus_directory
from tests.helpers.corpora.made_up import COMMON, LOCAL, local
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import Toy

STAGES = {
    name: {key: part for key, part in block.items() if key in ("matrix", "cmd", "deps", "params", "outs")}
    for name, block in yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"].items()
    if name in ("given", "corpus")
}
TRAIN = LOCAL["train.de"]
DEMO, SIZES = corpus_directory("demo"), dict.fromkeys(("train", "dev", "test", "gold"), 1)


class Mine(Toy):
    """A corpus of a user's files by the stages of the pipeline that make it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, STAGES)
        (folder / "data").mkdir()
        for name, lines in LOCAL.items():
            write_lines(folder / "data" / name, lines)
        (folder / "work/manifest").mkdir(parents=True)
        self.write(**{"work/manifest/given": "code", "work/manifest/corpus": "code"})
        self.set()

    def set(self, **changes) -> None:
        settings = local(Path("data"), **changes).model_dump(mode="json")
        self.write(**{"params.yaml": yaml.safe_dump({"corpus": "mine", "corpora": {"mine": {"corpus": settings}}})})

    def edit(self, word: str) -> None:
        """Another word in the place of the first: as many lines, of as many characters."""
        write_lines(self.folder / "data/train.de", [line.replace("Hund", word) for line in TRAIN])

    def made(self) -> str:
        """That word in the text of the corpus."""
        assert self.run().returncode == 0
        return self.text("work/mine/corpus/train.de").split()[1]


@pytest.fixture
def mine(tmp_path, monkeypatch) -> Mine:
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    return Mine(tmp_path)


@pytest.mark.dvc
def test_an_edited_text_is_something_to_do_and_no_cache_takes_it_for_the_earlier_one(mine):
    assert mine.made() == "Hund"
    mine.edit("Hahn")
    assert mine.made() == "Hahn"
    mine.edit("Hund")
    assert mine.made() == "Hund"
    mine.set(max_length=40)
    assert mine.made() == "Hund"
    mine.set()
    assert mine.made() == "Hund"
    assert mine.run().stdout.endswith("nothing to do\n")


@pytest.mark.dvc
def test_plain_dvc_makes_the_list_and_nothing_of_files_that_it_does_not_list(mine):
    assert mine.dvc("repro", "-q").wait() == 0
    mine.edit("Hahn")
    assert mine.dvc("repro", "-q").wait() == 0  # it sees nothing
    assert "Hund" in mine.text("work/mine/corpus/train.de")
    assert mine.dvc("repro", "-q", "-f", "corpus@mine", "-s").wait() != 0
    assert mine.made() == "Hahn"
    mine.edit("Hase")
    assert mine.dvc("repro", "-q", "-f", "corpus@mine").wait() == 0  # with the stage that makes the list
    assert "Hase" in mine.text("work/mine/corpus/train.de")


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """The list of a corpus, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, lines in LOCAL.items():
        write_lines(Path("data") / name, lines)
    content = {"corpus": "mine", "corpora": {"mine": {"corpus": local(Path("data")).model_dump(mode="json")}}}
    Path("params.yaml").write_text(yaml.safe_dump(content))
    given.write_given(local(Path("data")), corpus_directory("mine"))
    return given.given_file(corpus_directory("mine"))


def test_every_file_is_listed_and_a_touched_one_is_the_same(listed):
    before = listed.read_text()
    assert {line.split(" ")[1] for line in before.splitlines()} == {f"data/{name}" for name in LOCAL}
    os.utime("data/train.de")
    given.note()
    assert listed.read_text() == before


def test_what_nobody_has_written_since_is_not_read_again(listed, monkeypatch):
    monkeypatch.setattr(given.hashlib, "file_digest", None)
    given.note()
    os.utime("data/train.de")
    with pytest.raises(TypeError):
        given.note()


def test_files_that_are_gone_and_bad_settings_change_nothing(listed):
    """The results may have come from another machine; what is wrong with settings is said elsewhere."""
    before = listed.read_text()
    Path("data/train.de").unlink()
    given.note()
    Path("params.yaml").write_text("corpus: [")
    given.note()
    assert listed.read_text() == before


def test_other_kinds_of_corpus_have_an_empty_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given.write_given(DemoSettings(kind="demo", source="zh", target="en", seed=1, **COMMON, **SIZES), DEMO)
    assert [(path.name, path.read_text()) for path in DEMO.path.iterdir()] == [("given", "")]
