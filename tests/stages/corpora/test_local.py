"""A corpus of local files: its folder, its settings, and every bad input."""

import gzip
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import yaml

from stages.corpora.tokenise import tokeniser
from stages.corpus import make
from stages.files.errors import InputError, OutputError
from stages.files.records import read_json
from stages.files.text import read_lines, write_lines
from stages.settings.corpora import CorpusSettings
from stages.settings.params import validate
from tests.helpers.corpora.made_up import LOCAL, NOWHERE, local
from tests.helpers.full_disk import fill_disk
from tests.helpers.paths import ROOT


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, lines in LOCAL.items():
        write_lines(folder / name, lines)
    return folder


def test_local_corpus_folder(tmp_path, files):
    out = tmp_path / "work" / "corpus"
    make("mine", local(files, lowercase=True), NOWHERE, out)
    content = {path.name: list(read_lines(path)) for path in out.iterdir() if path.suffix != ".json"}
    assert content == {
        **{"train.de": ["der hund bellt .", "die katze ."], "train.en": ["the dog barks .", "the cat ."]},
        **{"dev.de": ["ein haus ,", "das meer"], "dev.en": ["a house ,", "the sea"]},
        **{"dev.ref0.de": ["ein  Haus ,", "das Meer"], "dev.ref0.en": LOCAL["dev.en"]},
        **{"dev.ref1.en": LOCAL["dev.second.en"]},
        **{"test.de": ["ein baum!"], "test.en": ["one tree"]},
        **{"test.ref0.de": LOCAL["test.de"], "test.ref0.en": LOCAL["test.en"]},
        **{"gold.de": ["der hund"], "gold.en": ["the dog"], "gold.align": ["0-0 1?1"]},
    }
    stats = read_json(out / "stats.json")
    assert {name: stats[name] for name in ("corpus", "source", "target", "tests", "gold", "tokenised")} == {
        **{"corpus": "mine", "source": "de", "target": "en", "tests": ["test"], "gold": True, "tokenised": True}
    }
    assert stats["train_pairs"]["too_long"] == stats["train_pairs"]["overlap"] == 1
    assert stats["sets"]["train"] == {
        **{"pairs": 2, "tokens": {"de": 7, "en": 7}, "mean_length": {"de": 3.5, "en": 3.5}},
        "max_length": {"de": 4, "en": 4},
    }


def test_words_are_what_they_are_in_the_case_in_which_they_are_written(tmp_path, files):
    write_lines(files / "train.en", ["the dog <PAD> .", "the cat .", "a tree !", "too long"])
    for lowercase, dropped in ((True, 1), (False, 0)):
        make("mine", local(files, lowercase=lowercase), NOWHERE, tmp_path / "corpus")
        assert read_json(tmp_path / "corpus" / "stats.json")["train_pairs"]["separator"] == dropped
    for part in ("dev", "test", "gold"):
        lines = LOCAL[f"{part}.de"]
        write_lines(files / f"{part}.de", [*lines[:-1], f"{lines[-1]} </S>"])
        make("mine", local(files), NOWHERE, tmp_path / "corpus")
        with pytest.raises(InputError, match=f"{part}, line {len(lines)}: a word .* is a mark of fairseq"):
            make("mine", local(files, lowercase=True), NOWHERE, tmp_path / "lower")
        write_lines(files / f"{part}.de", lines)


def test_local_compressed_and_without_gold(tmp_path, files):
    for name in ("train.de", "train.en"):
        (files / f"{name}.gz").write_bytes(gzip.compress((files / name).read_bytes()))
    settings = local(files, train=(files / "train.de.gz", files / "train.en.gz"), gold=None, limit=1)
    make("mine", settings, NOWHERE, tmp_path / "corpus")
    assert len(read_lines(tmp_path / "corpus" / "train.en")) == 1
    assert not list((tmp_path / "corpus").glob("gold*"))
    assert read_json(tmp_path / "corpus" / "stats.json")["train_pairs"]["over_limit"] == 1


def test_raw_text_is_tokenised_and_references_stay_raw(tmp_path, files):
    write_lines(files / "dev.en", ['A "house", don\'t & <you>!', "the sea."])
    make("mine", local(files, tokenised=False), NOWHERE, tmp_path / "corpus")
    assert read_lines(tmp_path / "corpus" / "dev.en") == ('A " house " , don \'t & < you > !', "the sea .")
    assert read_lines(tmp_path / "corpus" / "dev.ref0.en") == ('A "house", don\'t & <you>!', "the sea.")


@pytest.mark.parametrize("language", ["ja", "th", "bo"])
def test_text_without_blanks_that_is_not_chinese_is_refused(language):
    with pytest.raises(InputError, match=r"only Chinese is segmented here; segment it first, and set tokenised: true"):
        tokeniser(language)


BAD_LOCAL = [
    ("train.en", b"the dog barks .\nthe cat .\n", "train.de has 4 lines but {}/train.en has 2"),
    ("dev.second.en", b"one house ,\n", "dev.de has 2 lines but {}/dev.second.en has 1"),
    ("train.de", b"a\nb\nc\n\xff\n", "train.de, line 4: byte 1 of the line (0xff) is not UTF-8"),
    ("test.en", b"one tr\xe9e\n", "test.en, line 1: byte 7 of the line (0xe9) is not UTF-8"),
    ("test.de", b"", "test.de has 0 lines but {}/test.en has 1"),
    ("dev.de", b"a\n \n", "dev.de, line 2: empty line"),
    ("gold.align", b"0-0 1-2\n", "gold.align, line 1: link 1-2 lies outside its sentence"),
    ("gold.align", b"0-0\n0-0\n", "gold.align has 2 lines but {}/gold.de has 1"),
    ("gold.align", b"0/0\n", "gold.align, line 1: '0/0' is not a link"),
    ("gold.en", b"the dog\nand\n", "gold.de has 1 lines but {}/gold.en has 2"),
    ("test.de", b"ein Ba@@ um\n", "test, line 1: a word ends in '@@'"),
]


@pytest.mark.parametrize(
    "empty", [b"the dog barks .\n\na tree !\ntoo long\n", b"the dog barks .\n\x01\na tree !\ntoo long"]
)
def test_a_training_pair_with_an_empty_side_is_dropped_and_counted(tmp_path, files, empty):
    (files / "train.en").write_bytes(empty)
    make("mine", local(files, tokenised=False), NOWHERE, tmp_path / "corpus")
    assert read_lines(tmp_path / "corpus" / "train.de") == ("der Hund bellt .",)
    stats = read_json(tmp_path / "corpus" / "stats.json")
    assert (stats["train_pairs"]["read"], stats["train_pairs"]["empty"], stats["train_pairs"]["kept"]) == (4, 1, 1)


@pytest.mark.parametrize("part", ["train", "dev", "test", "gold"])
def test_a_set_without_sentences(tmp_path, files, part):
    for path in files.glob(f"{part}.*"):
        path.write_bytes(b"")
    with pytest.raises(InputError, match=rf"{part}\.de and .*{part}\.en are empty"):
        make("mine", local(files), NOWHERE, tmp_path / "work" / "corpus")
    assert not list((tmp_path / "work").glob("*"))


def test_a_line_of_which_the_tokeniser_leaves_nothing(tmp_path, files):
    (files / "dev.en").write_bytes(b"a\n\x01\n")
    with pytest.raises(InputError, match=r"dev\.en, line 2: no word in it"):
        make("mine", local(files, tokenised=False), NOWHERE, tmp_path / "work" / "corpus")


def test_a_file_in_two_places(tmp_path, files):
    (files / "link.en").symlink_to(files / "dev.de")
    (files / "hard.de").hardlink_to(files / "train.de")
    german, english = files / "train.de", files / "train.en"
    references = [files / "dev.en", files / "dev.en"]
    test = {"source": files / "test.de", "target": files / "test.en"}
    for message, change in {
        "train: .* are the same file": {"train": (german, german)},
        "dev: .*dev.de and .*link.en are the same file": {
            "dev": {"source": files / "dev.de", "target": files / "link.en"}
        },
        "dev: .*dev.en and .*dev.en are the same file": {"dev": {"source": files / "dev.de", "target": references}},
        "hard.de is of train and of test;": {"tests": {"test": {"source": files / "hard.de", "target": english}}},
        "link.en is of dev and of test;": {
            "tests": {"test": {"source": files / "test.de", "target": files / "link.en"}}
        },
        "test.en is of test and of again;": {"tests": {"test": test, "again": test | {"source": files / "other.de"}}},
        "gold: .* are the same file": {"gold": {"source": german, "target": english, "align": english}},
    }.items():
        with pytest.raises(InputError, match=message):
            make("mine", local(files, **change), NOWHERE, tmp_path / "work" / "corpus")


def test_gold_pairs_may_be_a_test_set(tmp_path, files):
    gold = {"source": files / "gold.de", "target": files / "gold.en"}
    make("mine", local(files, tests={"test": gold}), NOWHERE, tmp_path / "corpus")
    assert read_lines(tmp_path / "corpus" / "test.en") == read_lines(tmp_path / "corpus" / "gold.en")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("NUL", "no path holds the character NUL"),
        ("pipe", r"train\.de: cannot be read, for it is a pipe; name a file"),
        ("folder", r"train\.de: cannot be read, for it is a folder; name a file"),
        ("device", r"zero: cannot be read, for it is no regular file"),
        ("line", r"train\.de, line 1: longer than 1,048,576 bytes"),
        ("bomb", r"train\.gz, line 1: longer than 1,048,576 bytes"),
    ],
)
def test_what_is_no_text_file(tmp_path, files, kind, message):
    path = files / "train.de"
    path.unlink()
    match kind:
        case "NUL":
            path = files / "train\0.de"
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "device":
            path = Path("/dev/zero")
        case "line":
            path.write_bytes(b"x" * (1 << 21))
        case "bomb":
            path = files / "train.gz"
            path.write_bytes(gzip.compress(bytes(1 << 26)))
    with pytest.raises(InputError, match=message) as error:
        settings = local(files).model_copy(update={"train": (path, files / "train.en")})  # they refuse some themselves
        make("mine", settings, NOWHERE, tmp_path / "work" / "corpus")
    assert "\n" not in str(error.value) and not list((tmp_path / "work").glob("*"))


@pytest.mark.parametrize(("name", "content", "message"), BAD_LOCAL)
def test_bad_local_file(tmp_path, files, name, content, message):
    (files / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        make("mine", local(files), NOWHERE, tmp_path / "work" / "corpus")
    assert message.format(files) in str(error.value)
    assert not list((tmp_path / "work").glob("*"))


def test_full_disk_leaves_no_corpus(tmp_path, files, monkeypatch):
    fill_disk(monkeypatch, "dev.en.partial")
    with pytest.raises(OutputError, match="no space left"):
        make("mine", local(files), NOWHERE, tmp_path / "work" / "corpus")
    assert not list((tmp_path / "work").glob("*"))


def test_output_below_a_file(files):
    with pytest.raises(OutputError, match="choose a folder that exists and is writable"):
        make("mine", local(files), NOWHERE, files / "dev.de" / "corpus")


@pytest.mark.process
def test_stage_prints_one_line_and_exits_with_1(tmp_path, files):
    settings = local(files).model_dump(mode="json")
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({"corpora": {"mine": {"corpus": settings}}}))
    command = [sys.executable, "-m", "stages.corpus", "--corpus", "mine"]
    run = partial(subprocess.run, command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True)
    assert run().returncode == 0 and (tmp_path / "work" / "mine" / "corpus" / "train.de").exists()
    (files / "dev.en").write_bytes(b"\xff\n")
    failed = run(capture_output=True)
    assert failed.returncode == 1 and failed.stderr.startswith(f"error: {files}/dev.en, line 1: ")
    assert failed.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "locale"}, "corpora.mine.corpus"),
        ({"limt": 3}, "limt: unknown key"),
        ({"limit": 0}, "limit"),
        ({"target": "de-AT"}, "source and target are both 'de'"),
        ({"source": "german"}, "source"),
        ({"tests": {}}, "tests"),
        ({"tests": {"gold": {"source": "a", "target": "b"}}}, "a test set cannot be named 'gold'"),
        ({"tests": {"a.b": {"source": "a", "target": "b"}}}, "tests"),
    ],
)
def test_bad_settings_are_named(files, change, message):
    content = local(files).model_dump() | change
    with pytest.raises(InputError) as error:
        validate(content, CorpusSettings, "corpora.mine.corpus")
    assert message in str(error.value) and "corpora.mine.corpus" in str(error.value)
