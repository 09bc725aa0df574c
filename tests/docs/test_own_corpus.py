"""The blocks of docs/corpora.md for a corpus of one's own: short, valid beside everything else, and read by DVC too."""

import gzip
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from dvc.utils.serialize import parse_yaml

from stages.corpora.download import Sources
from stages.corpus import make
from stages.pipeline.choice import choosing
from stages.settings.corpora import LocalSettings
from stages.settings.params import read
from stages.settings.schema import load
from tests.helpers.paths import ROOT

SECTION = (
    (ROOT / "docs" / "corpora.md").read_text("utf-8").partition("\n## A corpus of your own\n")[2].partition("\n## ")[0]
)
CORPUS, STUDY = re.findall(r"```yaml\n(.*?)```", SECTION, re.DOTALL)


@pytest.fixture
def params(tmp_path, monkeypatch) -> str:
    """The committed file with both blocks where the page puts them, and the study chosen, in the working directory."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "params.yaml").read_text("utf-8")
    studies, line, rest = text.partition("\n# The study that runs: ")
    assert line
    text = choosing(f"{studies}{STUDY}{line}{rest}{CORPUS}", "mine")
    Path("params.yaml").write_text(text, "utf-8")
    return text


def test_the_block_is_short():
    assert len(CORPUS.splitlines()) <= 12 and len(STUDY.splitlines()) == 1


def test_the_blocks_are_valid_and_all_else_is_the_defaults(params):
    content = load()
    mine, defaults = content.corpora["mine"].model_dump(), content.defaults.corpus.model_dump()
    assert (content.study, content.corpus, content.systems) == ("mine", "mine", ["rnnsearch_star", "ba_nmt"])
    assert isinstance(content.corpora["mine"].corpus, LocalSettings)
    assert {key for key in mine if mine[key] != defaults.get(key)} == {"corpus"}


def test_dvc_reads_the_same(params):
    assert parse_yaml(params, "params.yaml") == yaml.safe_load(params) == read()


@pytest.mark.parametrize("other", re.findall(r"`((?:training|model|score): \{<<: .*?\})`", SECTION))
def test_a_section_of_ones_own_in_a_line(params, other):
    Path("params.yaml").write_text(f"{params}    {other.replace('…', 'intl')}\n", "utf-8")
    load()


def test_there_are_such_lines():
    assert len(re.findall(r"`(?:training|model|score): \{<<: ", SECTION)) == 3


def test_its_files_are_left_alone_by_git(params):
    settings = load().corpora["mine"].corpus
    files = [*settings.train, settings.dev.source, settings.dev.target]
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", *map(str, files)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(file) for file in files]


def test_the_text_is_made_of_such_files(params):
    Path("data").mkdir()
    for side, word in (("de", "Hund"), ("en", "dog")):
        with gzip.open(f"data/train.{side}.gz", "wt", encoding="utf-8") as handle:
            handle.writelines(f"A {word} {k} .\n" for k in range(20))
        for name in ("dev", "test", "test.second-reference"):
            Path(f"data/{name}.{side}").write_text(f"{name} {word} !\n", "utf-8")
    make("mine", load().corpora["mine"].corpus, Sources.of_environment(), Path("corpus"))
    assert Path("corpus/news.ref1.en").read_text("utf-8") == "test.second-reference dog !\n"
