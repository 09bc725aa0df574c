"""The stage that tags a corpus: its own tags, new text, languages without a tagger, and what does not fit."""

import json
from pathlib import Path

import pytest

from stages import tag as stage
from stages.files.errors import InputError
from stages.files.records import write_json
from stages.files.text import read_lines, write_lines
from stages.tagging import word_classes
from stages.tagging.classes import classes
from stages.tagging.corpus_classes import TAGSETS
from stages.tagging.tagger import read_about, read_classes, read_tagger
from tests.helpers.corpora.made_up import make_demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    make_demo(folder / "corpus", train=300, dev=40, test=10, gold=10)
    stage.tag(folder / "corpus", folder / "tags")
    return folder


def test_the_corpus_s_own_tags_are_kept(demo: Path) -> None:
    for language, tagset in TAGSETS.items():
        for name in ("dev", "test", "gold"):
            own = [classes(line.split(), tagset, name) for line in read_lines(demo / f"corpus/{name}.pos.{language}")]
            assert read_classes(demo / "tags", name, language) == own


@pytest.mark.parametrize("language", ["zh", "en"])
def test_new_text_of_a_tagged_corpus(demo: Path, language: str) -> None:
    found, tag = read_about(demo / "tags", language), read_tagger(demo / "tags", language)
    assert tag is not None and found.accuracy is not None and found.why is None
    assert found.tags_of_new_text == word_classes.RULE
    text = [line.split(" ") for line in read_lines(demo / f"corpus/dev.{language}")]
    own = read_classes(demo / "tags", "dev", language)
    pairs = [pair for ours, theirs in zip(tag(text), own, strict=True) for pair in zip(ours, theirs, strict=True)]
    assert found.accuracy["words"] == len(pairs)
    assert found.accuracy["correct"] == pytest.approx(100 * sum(a == b for a, b in pairs) / len(pairs), abs=0.01)
    assert 90 < found.accuracy["correct"] < 100


def corpus(folder: Path, source: str, target: str, lines: dict[str, str]) -> Path:
    """A corpus of one sentence a set; `lines`: file name -> its line."""
    folder.mkdir()
    write_json(folder / "stats.json", {"source": source, "target": target, "tests": ["late"], "gold": False})
    for name, line in lines.items():
        write_lines(folder / name, [line])
    return folder


UNTAGGED = {
    "train.fr": "il dort", "dev.fr": "il dort", "late.fr": "la nuit",
    "train.de": "er schläft", "dev.de": "er schläft", "late.de": "die lange Nacht",
}  # fmt: skip
WITH_TAGS = {
    f"{name}{kind}": line
    for name in ("train", "dev", "late")
    for kind, line in ((".zh", "他 睡觉"), (".pos.zh", "PN VV"), (".fr", "il dort"))
}


def test_a_language_with_a_tagger_and_one_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage.tag(corpus(tmp_path / "corpus", "fr", "de", UNTAGGED), tmp_path / "tags")
    assert sorted(path.name for path in (tmp_path / "tags").iterdir()) == ["about.json", "dev.de", "late.de"]
    assert read_classes(tmp_path / "tags", "late", "de") == [["DT", "JJ", "NN"]]
    assert read_tagger(tmp_path / "tags", "de")([["ein", "Haus"]]) == [["DT", "NN"]]
    assert read_classes(tmp_path / "tags", "late", "fr") is read_tagger(tmp_path / "tags", "fr") is None
    why = "no tagger knows the language 'fr' (those known: de, en, zh), and the corpus has no tags for it"
    assert read_about(tmp_path / "tags", "fr")._asdict() == {
        "tagger": None, "why": why, "tags_of_new_text": None, "words": None, "accuracy": None
    }  # fmt: skip
    assert f"fr: {why}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"late.pos.zh": None}, "has tags for train, dev but no late.pos.zh; tag all sets or none"),
        ({"late.pos.zh": "PN VV PU"}, "late.pos.zh, line 1: 3 tags for 2 words"),
        ({"dev.pos.zh": "PN VBZ"}, "dev.pos.zh, line 1: 'VBZ' is no tag of CTB"),
        ({"train.pos.zh": "PN VV\nPN VV"}, "train.zh has 1 lines but .*train.pos.zh has 2"),
        ({f"{name}.pos.fr": "P V" for name in ("train", "dev", "late")}, "has tags for fr, of an unknown tagset"),
        ({"stats.json": "{}"}, "stats.json lacks source, target, tests, gold"),
        ({"dev.zh": None}, "dev.zh: no such file"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, change: dict[str, str | None], message: str) -> None:
    text = corpus(tmp_path / "corpus", "zh", "fr", WITH_TAGS)
    for name, content in change.items():
        (text / name).unlink(missing_ok=True)
        if content is not None:
            write_lines(text / name, [content])
    with pytest.raises(InputError, match=message):
        stage.tag(text, tmp_path / "tags")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


@pytest.mark.parametrize(
    ("content", "message"),
    [({"en": {}}, "about.json lacks zh"), ({"zh": {"tagger": "x"}}, "zh lacks tagger, why, tags_of_new_text, words")],
)
def test_damaged_about(tmp_path: Path, content: dict[str, object], message: str) -> None:
    (tmp_path / "about.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        read_tagger(tmp_path, "zh")
