"""A public corpus that cannot be had is refused before anything that takes long, and CORPUS_MIRROR is named."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import requests

from stages.corpora import hansards, mix
from stages.files.errors import InputError
from stages.pipeline import text_source
from stages.pipeline.graph import Pipeline
from stages.pipeline.text_source import require_text
from stages.settings.corpora import CorpusSettings
from stages.settings.params import validate
from tests.helpers import committed
from tests.stages.pipeline.toy import Toy

CORPORA = committed.params()["corpora"]


def params(name):
    settings = validate(CORPORA[name]["corpus"], CorpusSettings, name)
    return SimpleNamespace(corpus=name, corpora={name: SimpleNamespace(corpus=settings)})


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Addresses that were asked; none answers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CORPUS_MIRROR", raising=False)
    urls = []

    def head(url, **options):
        urls.append(url)
        raise requests.ConnectionError("no route")

    monkeypatch.setattr(text_source.requests, "head", head)
    return urls


@pytest.mark.parametrize("name", ["hansards-en-fr", "multi30k-de-en", "zh-en"])
def test_a_publisher_that_does_not_answer(asked, name):
    with pytest.raises(InputError, match=r"does not answer \(ConnectionError\): .*set CORPUS_MIRROR to a folder"):
        require_text(params(name), Path("runs"))
    assert len(asked) == 1


@pytest.mark.parametrize("name", ["demo", "nist-zh-en"])
def test_text_that_is_not_downloaded_is_asked_of_nobody(asked, name):
    require_text(params(name), Path("runs"))
    assert asked == []


def test_a_mirror_that_lacks_the_corpus_and_one_that_has_it(asked, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_MIRROR", str(tmp_path))
    with pytest.raises(InputError, match="tvsub-zh-en is missing; correct CORPUS_MIRROR"):
        require_text(params("zh-en"), Path("runs"))
    for publication in mix.PUBLICATIONS.values():
        (tmp_path / publication.folder).mkdir()
    require_text(params("zh-en"), Path("runs"))
    assert asked == []


@pytest.mark.dvc
def test_the_cache_of_runs_is_where_dvc_has_it(tmp_path, monkeypatch):
    """`dvc cache dir` shares it between clones."""
    toy = Toy(tmp_path)
    toy.write(**{".dvc/config.local": "[cache]\n    dir = ../shared"})
    monkeypatch.chdir(tmp_path)
    assert Pipeline().cached_runs == tmp_path / "shared" / "runs"


@pytest.mark.parametrize("what", ["the text", "downloads", "a cached run"])
def test_text_that_is_here_is_asked_of_nobody(asked, tmp_path, what):
    if what == "the text":
        (tmp_path / "work" / "hansards-en-fr" / "corpus").mkdir(parents=True)
    elif what == "downloads":
        for archive in hansards.PUBLICATION.archives:
            path = tmp_path / "work" / "downloads" / hansards.PUBLICATION.folder / archive.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    else:
        run = tmp_path / "runs" / "ab" / "abcd" / "ef"
        run.parent.mkdir(parents=True)
        run.write_text("cmd: python -m stages.corpus --corpus hansards-en-fr\ndeps: []\n")
    require_text(params("hansards-en-fr"), Path("runs"))
    assert asked == []
