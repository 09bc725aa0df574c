"""A cache of DVC's that is gone, or lacks something: nothing runs again that the workspace still has."""

import shutil
from pathlib import Path

import pytest
from dvc.repo import Repo
from dvc.stage import Stage

from stages.files.atomic import remove
from stages.files.errors import InputError
from stages.pipeline import lost_cache
from stages.pipeline.bookkeeping import Bookkeeping
from stages.pipeline.graph import Pipeline
from tests.stages.pipeline.toy import Toy


@pytest.mark.dvc
def test_what_the_workspace_has_is_put_back_and_what_it_lacks_is_made(tmp_path):
    toy = Toy(tmp_path)
    first = toy.run()
    assert first.returncode == 0 and "cache" not in first.stdout
    toy.ran()

    shutil.rmtree(tmp_path / ".dvc" / "cache")
    again = toy.run()
    assert "nothing to do" in again.stdout and toy.ran() == []
    assert "DVC's cache (.dvc/cache/files/md5) lacks 8 of the 8 results" in again.stdout
    assert ": 8 were put back from the workspace\n" in again.stdout
    assert "cache" not in toy.run().stdout

    shutil.rmtree(tmp_path / ".dvc" / "cache")
    (tmp_path / "report").unlink()
    toy.write(corpus="edited")
    some = toy.run()
    assert ": 6 were put back from the workspace, and 2 are made anew, unless `dvc pull` fetches" in some.stdout
    assert toy.ran() == ["corpus"] and toy.text("report") == "a\nb\nc\n" and toy.text("corpus") == "1\n"


@pytest.mark.dvc
def test_a_file_of_a_folder_is_put_back_too(tmp_path, monkeypatch):
    Toy(tmp_path, {"text": {"cmd": "mkdir text && echo a > text/a && echo b > text/b", "outs": ["text"]}})
    monkeypatch.chdir(tmp_path)
    Repo().reproduce()
    (cached,) = (path for path in Path(".dvc/cache/files/md5").rglob("*") if path.is_file() and is_b(path))
    remove(cached)
    said = []
    lost_cache.put_back(Pipeline(), said.append)
    assert "lacks 1 of the 1 results that dvc.lock names: 1 were put back" in said[0] and is_b(cached)


def is_b(path):
    return path.read_bytes() == b"b\n"


@pytest.mark.dvc
def test_what_dvc_cannot_copy_there_is_said_and_not_recorded(tmp_path, monkeypatch):
    """On a full disk DVC's own commit writes to its log alone, and goes on."""
    Toy(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Stage, "commit", lambda self: None)
    bookkeeping = Bookkeeping(Pipeline(), print)
    bookkeeping.begin("corpus")
    (tmp_path / "corpus").write_text("1\n")
    with pytest.raises(InputError, match=r"to its cache, .*\.dvc/cache/files/md5; free some space there"):
        bookkeeping.end("corpus")
    assert not (tmp_path / "dvc.lock").exists()


@pytest.mark.parametrize(
    ("named", "lost", "back", "said"),
    [
        (9, 9, 0, "has nothing of this study, as in a new clone: all of it is made, unless `dvc pull` fetches them"),
        (9, 9, 9, "lacks 9 of the 9 results that dvc.lock names: 9 were put back from the workspace"),
        (9, 3, 0, "lacks 3 of the 9 results that dvc.lock names: 3 are made anew, unless"),
        (9, 9, 4, "9 results that dvc.lock names: 4 were put back from the workspace, and 5 are made anew, unless"),
    ],
)
def test_one_sentence_names_the_cache(named, lost, back, said):
    text = lost_cache._sentence(".dvc/cache", named, lost, back)
    assert text.startswith("DVC's cache (.dvc/cache) ") and said in text
