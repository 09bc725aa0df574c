"""The bpe stage against subword-nmt's own command line, and its copies of text."""

import io
import json
import random
import subprocess
import sys
from collections import Counter

import pytest
from subword_nmt.learn_bpe import learn_bpe

from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.segmenting import byte_pairs
from stages.segmenting.corpus_tokens import copy, segment
from stages.settings.corpora import SegmentationSettings
from tests.helpers import committed

SETS = {
    "train.de": ["der Hund bellt laut .", "der Hund läuft lauter .", "die Hunde bellen am lautesten ."] * 3,
    "train.en": ["the dog barks loud .", "the dog runs louder .", "the dogs bark loudest ."] * 3,
    "dev.de": ["der Hundehalter bellt ."],
    "dev.en": ["the dog owner barks ."],
    "test.de": ["Hunde ß ."],
    "test.en": ["dogs ß ."],
    "gold.de": ["laut"],
    "gold.en": ["loud"],
}


def test_words_are_not_remembered_without_end(monkeypatch):
    monkeypatch.setattr(byte_pairs, "REMEMBERED", 5)
    codes = byte_pairs.learn(Counter({"aaab": 5, "abab": 7}), 3)
    segmenter, fresh = byte_pairs.Segmenter(codes, Counter(), 0), byte_pairs.Segmenter(codes, Counter(), 0)
    lines = [f"abab{number} aab" for number in range(40)]
    assert [segmenter.segment(line) for line in lines] == [fresh.segment(line) for line in lines]
    assert len(segmenter._known) < 10 and len(segmenter._bpe.cache) < 10


@pytest.fixture
def text(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, lines in SETS.items():
        write_lines(folder / name, lines)
    about = {"source": "de", "target": "en", "tests": ["test"], "gold": True}
    (folder / "stats.json").write_text(json.dumps(about))
    return folder


def settings(joint: bool = False, threshold: int = 0, merges: int = 20) -> SegmentationSettings:
    words = {"source": None, "target": None}
    return SegmentationSettings(merges=merges, joint=joint, vocabulary_threshold=threshold, word_vocabulary=words)


def merged(line: str) -> str:
    return line.replace("@@ ", "")


def subword_nmt(command: str, *arguments: str, stdin: str) -> str:
    run = [sys.executable, "-c", "from subword_nmt.subword_nmt import main; main()", command, *arguments]
    return subprocess.run(run, input=stdin, capture_output=True, text=True, check=True, encoding="utf-8").stdout


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("threshold", [0, 4])
def test_every_set_is_cut_and_merges_back(tmp_path, text, joint, threshold):
    segment(text, settings(joint, threshold), tmp_path / "bpe")
    codes = {"codes"} if joint else {"codes.de", "codes.en"}
    assert {path.name for path in (tmp_path / "bpe").iterdir()} == codes | set(SETS)
    for name, lines in SETS.items():
        pieces = read_lines(tmp_path / "bpe" / name)
        assert list(map(merged, pieces)) == lines
    assert any("@@ " in line for line in read_lines(tmp_path / "bpe" / "dev.de"))


@pytest.mark.process
def test_equals_subword_nmt_on_the_running_text(tmp_path, text):
    segment(text, settings(), tmp_path / "bpe")
    codes = io.StringIO()
    learn_bpe(io.StringIO("\n".join(SETS["train.de"])), codes, 20)
    assert (tmp_path / "bpe" / "codes.de").read_text() == codes.getvalue()
    expected = subword_nmt("apply-bpe", "-c", str(tmp_path / "bpe" / "codes.de"), stdin=SETS["dev.de"][0] + "\n")
    assert read_lines(tmp_path / "bpe" / "dev.de") == (expected.strip(),)


@pytest.mark.process
def test_joint_with_threshold_equals_subword_nmt(tmp_path, text):
    segment(text, settings(joint=True, threshold=4), tmp_path / "bpe")
    subword_nmt(
        *("learn-joint-bpe-and-vocab", "--input", str(text / "train.de"), str(text / "train.en"), "-s", "20"),
        *("-o", str(tmp_path / "codes"), "--write-vocabulary", str(tmp_path / "v.de"), str(tmp_path / "v.en")),
        stdin="",
    )
    assert read_lines(tmp_path / "bpe" / "codes") == read_lines(tmp_path / "codes")
    for name, lines in SETS.items():
        vocabulary = ("--vocabulary", str(tmp_path / f"v.{name[-2:]}"), "--vocabulary-threshold", "4")
        expected = subword_nmt("apply-bpe", "-c", str(tmp_path / "codes"), *vocabulary, stdin="\n".join(lines) + "\n")
        assert list(read_lines(tmp_path / "bpe" / name)) == expected.splitlines()


def dropped(settings: SegmentationSettings, probability: float = 0.5, seed: int = 1) -> SegmentationSettings:
    content = settings.model_dump() | {"bpe_dropout": {"probability": probability, "seed": seed}}
    return SegmentationSettings.model_validate(content)


@pytest.mark.process
def test_dropout_of_the_training_text_is_subword_nmts_own(tmp_path, text):
    segment(text, dropped(settings(), 0.3, seed=7), tmp_path / "bpe")
    codes, given = str(tmp_path / "bpe" / "codes.de"), "\n".join(SETS["train.de"]) + "\n"
    run = [sys.executable, "-m", "subword_nmt.apply_bpe", "-c", codes, "--dropout", "0.3", "--seed", "7"]
    expected = subprocess.run(run, input=given, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert list(read_lines(tmp_path / "bpe" / "train.de")) == expected.splitlines()


@pytest.mark.parametrize("threshold", [0, 4])
def test_dropout_is_of_the_training_text_alone_and_draws_from_its_seed(tmp_path, text, threshold):
    random.seed(3)
    before = random.getstate()
    plain, *others = (tmp_path / name for name in ("plain", "one", "again", "two"))
    segment(text, settings(threshold=threshold), plain)
    for out, seed in zip(others, (1, 1, 2), strict=True):
        segment(text, dropped(settings(threshold=threshold), seed=seed), out)
    for path in plain.iterdir():
        one, again, two = (read_lines(out / path.name) for out in others)
        assert one == again
        if path.name.startswith("train."):
            assert len({one, two, read_lines(path)}) == 3
            assert list(map(merged, one)) == SETS[path.name]
        else:  # codes and held-out text, whose words train has too
            assert one == two == read_lines(path)
    assert random.getstate() == before


def test_without_dropout_the_setting_is_not_there(tmp_path):
    assert SegmentationSettings.model_fields["bpe_dropout"].default is None
    assert all("bpe_dropout" not in one["segmentation"] for one in committed.params()["corpora"].values())
    with pytest.raises(ValueError, match="probability"):
        dropped(settings(), 1.0)


def test_threshold_cuts_rare_pieces(text, tmp_path):
    for threshold in (0, 4):
        segment(text, settings(joint=True, threshold=threshold, merges=200), tmp_path / f"bpe{threshold}")
    kept, cut = (Counter(" ".join(read_lines(tmp_path / f"bpe{t}" / "train.de")).split()) for t in (0, 4))
    assert min(kept[word] for word in ("bellt", "läuft")) == 3 and not {"bellt", "läuft"} & set(cut)


def test_words_are_copied_as_they_are(tmp_path, text):
    copy(text, tmp_path / "words")
    assert {path.name: list(read_lines(path)) for path in (tmp_path / "words").iterdir()} == SETS


def test_nothing_to_merge(tmp_path, text):
    write_lines(text / "train.de", ["a b c"])
    with pytest.raises(InputError, match="nothing to merge"):
        segment(text, settings(), tmp_path / "bpe")
    assert not (tmp_path / "bpe").exists()


def test_missing_corpus_folder(tmp_path):
    with pytest.raises(InputError, match=r"stats\.json: no such file"):
        copy(tmp_path / "absent", tmp_path / "words")
