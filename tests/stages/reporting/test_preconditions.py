"""What would stop a report is said before anything is trained."""

import json
from pathlib import Path
from typing import Any

import pytest

from stages.corpora.counts import sentences_shown
from stages.files.errors import InputError
from stages.reporting.preconditions import check_report, check_seeds
from stages.settings.corpora import CorpusSettings
from stages.settings.names import folder_of
from stages.settings.params import validate
from stages.settings.schema import Params, check
from tests.stages.settings.bad_values import LOCAL, settings


def content(corpus: str = "demo", sentence: int | None = None, sizes: tuple[str, ...] = ()) -> dict[str, Any]:
    found = settings() | {"corpus": corpus, "training_sizes": list(sizes)}
    found["corpora"][corpus]["report"]["sentence"] = sentence
    return found | {"run": folder_of(found)}


def params(*args: Any) -> Params:
    return check(content(*args))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("corpus", "there"), [("demo", 200), ("hansards-en-fr", 447), ("multi30k-de-en-short", 1000), ("zh-en", 450)]
)
def test_a_sentence_beyond_the_set(folder, corpus, there):
    check_report(params(corpus, there))
    message = rf"corpora\.{corpus}\.report\.sentence is {there + 1}, but the set it is taken from has {there} sentences"
    with pytest.raises(InputError, match=message):
        check_report(params(corpus, there + 1))


def test_a_sentence_beyond_the_users_own_set(folder):
    (folder / "gold.de").write_text("ein Satz\nnoch einer\n")
    check_report(params("mine", 2))
    with pytest.raises(InputError, match=r"report\.sentence is 3, but the set it is taken from has 2 sentences"):
        check_report(params("mine", 3))
    (folder / "gold.de").unlink()
    with pytest.raises(InputError, match=r"gold\.de: no such file"):
        check_report(params("mine", 3))


def test_without_a_gold_set_it_is_the_first_test_set(folder):
    (folder / "news.de").write_text("ein Satz\n")
    tests = {"news": {"source": ["news.de", "other.de"], "target": "news.en"}}
    assert sentences_shown(validate(LOCAL | {"gold": None, "tests": tests}, CorpusSettings, "mine")) == 1


def test_segments_of_sgml_are_counted_not_its_lines(folder):
    text = '<?xml version="1.0"?>\n<srcset setid="a">\n<doc docid="b">\n<seg id="1">c</seg>\n\n<seg id="2">d</seg>\n'
    (folder / "news.sgm").write_text(f"{text}</doc>\n\n</srcset>\n")
    tests = {"news": {"source": "news.sgm", "target": "news.en.sgm"}}
    assert sentences_shown(validate(LOCAL | {"gold": None, "tests": tests}, CorpusSettings, "mine")) == 2


def test_how_much_a_mix_leaves_of_a_test_set_is_not_known_before(folder):
    found = content("zh-en", 10_000)
    found["corpora"]["zh-en"]["corpus"]["gold"] = None
    check_report(check(found))


def test_a_smaller_study_without_a_report(folder):
    with pytest.raises(InputError, match=r"demo-small has no report yet; choose it .* run `make repro`"):
        check_report(params("demo", None, ("demo-small",)))
    report = folder / "reports" / "demo-small" / "metrics.json"
    report.parent.mkdir(parents=True)
    report.write_text(json.dumps({"systems": {}, "recipe": {}, "marks": {}}))
    check_report(params("demo", None, ("demo-small",)))


@pytest.mark.parametrize(
    ("place", "value", "odd"),
    [
        ("corpora/demo-small/corpus/test", 301, r"corpus\.test"),
        ("corpora/demo-small/corpus/seed", 18, r"corpus\.seed"),
        ("corpora/demo-small/score/bleu_tokenize", "13a", r"score\.bleu_tokenize"),
        ("studies/demo-small/direction", "reverse", "direction"),
        ("studies/demo-small/segmentation", "words", "segmentation"),
        ("studies/demo-small/corpus", "demo", "corpus is the same"),
        ("studies/demo-small/corpus", "hansards-en-fr", r"corpus\.kind"),
    ],
)
def test_studies_that_do_not_compare(place, value, odd):
    found = content("demo", None, ("demo-small",))
    check(found)
    *above, last = place.split("/")
    node = found
    for key in above:
        node = node[key]
    node[last] = value
    found["studies"]["demo-small"]["run"] = folder_of(found["studies"]["demo-small"])
    message = rf"training_sizes: demo-small does not compare with demo, .*\(.*{odd}.*\); take it off the list"
    with pytest.raises(InputError, match=message):
        check(found)


@pytest.mark.parametrize("name", ["corpora/hansards-en-fr/compare/baseline", "corpora/demo/compare/rivals"])
def test_a_comparison_with_a_system_that_is_none(name):
    found = content()
    compare = found["corpora"][name.split("/")[1]]["compare"]
    compare |= {"baseline": "nobody"} if name.endswith("baseline") else {"rivals": ["nobody"]}
    with pytest.raises(InputError, match=r"compare: there is no variant nobody; correct the spelling"):
        check(found)


def test_seeds_that_are_not_there_yet(tmp_path):
    for made in ("a-1", "a-2", "b-1", "c-1", "c-2"):
        (tmp_path / "scores" / made).mkdir(parents=True)
    check_seeds(tmp_path, ["a", "b", "c"], [1])
    message = (
        r'scores: seed 2 of b is not there yet; `make repro` makes it and then the report, `make repro SYSTEMS="b"`'
    )
    with pytest.raises(InputError, match=message):
        check_seeds(tmp_path, ["a", "b", "c"], [1, 2])
