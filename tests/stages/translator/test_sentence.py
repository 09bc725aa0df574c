"""A raw line becomes the pieces that the stages corpus and bpe make of the same line."""

import contextlib
import shutil
from pathlib import Path

import pytest
import yaml

from stages.corpora import chinese
from stages.corpora.corpus_folder import write_corpus
from stages.corpora.filters import Filters
from stages.corpora.local import Words
from stages.corpora.parallel import ParallelSet
from stages.corpora.raw_corpus import Corpus, whole
from stages.files.text import read_lines
from stages.releasing import model_parts
from stages.releasing.model_file import write_model
from stages.segmenting.corpus_tokens import copy, segment
from stages.settings.corpora import SegmentationSettings
from stages.settings.systems import study_systems
from stages.translator.answer import Translator
from stages.translator.choose import choose, opened_system
from stages.translator.sentence import Preparation
from tests.helpers import tiny

TRAIN = [("Der Hund bellt, der Hund schläft.", "The dog barks, the dog sleeps."), ("Ein Hund!", "A dog!")] * 3
DEV = [('Der  HUND schläft "tief" & fest ...', "The DOG sleeps."), ("Ein Ärger, ein Hündchen.", "A pup, a nuisance.")]
DEV += [("„Wie geht’s?“, sagt er.", "“How’s life?”")]


def written(folder: Path, segmentation: str, straight: bool = False, **changes: object) -> list[list[str]]:
    """A corpus in the folders of the study `tiny`; returns the pieces of its dev set. straight: its quotation marks."""
    content = tiny.params()
    content["corpora"]["tiny"]["corpus"] |= {"source": "de", "target": "en"}
    content["corpora"]["tiny"]["segmentation"] |= {"merges": 8, **changes}
    content |= {"segmentation": segmentation, "run": f"work/tiny/forward-{segmentation}"}
    (folder / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    words = Words("de", "en", tokenised=False)
    marks = chinese.straight if straight else str
    train, dev = (tuple(words(*map(marks, pair)) for pair in pairs) for pairs in (TRAIN, DEV))
    held = ParallelSet(dev, (tuple(source for source, _ in DEV),), (tuple(target for _, target in DEV),))
    corpus = Corpus(whole(train), held, {"test": held}, None, tokenised=False, held_out=0, straight=straight)
    text, bpe = folder / "work/tiny/corpus", folder / f"work/tiny/forward-{segmentation}/bpe"
    write_corpus(corpus, "tiny", Filters(99, None, languages=("de", "en"), lowercase=True), text)
    if segmentation == "words":
        copy(text, bpe)
    else:
        segment(text, SegmentationSettings(**content["corpora"]["tiny"]["segmentation"]), bpe)
    for name in ("bin/dict.de.txt", "bin/dict.en.txt", "models/rnnsearch_star/1/model.pt"):
        (bpe.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (bpe.parent / name).touch()
    (text.parent / "wordalign").mkdir()
    (text.parent / "wordalign/lexicon.source-target.tsv").touch()
    return [line.split(" ") for line in read_lines(bpe / "dev.de")]


@pytest.mark.parametrize(
    ("segmentation", "changes"),
    [
        ("bpe", {}),
        ("bpe", {"joint": True}),
        ("bpe", {"vocabulary_threshold": 4}),
        ("words", {}),
        ("bpe", {"straight": True}),
    ],
)
def test_lines_are_cut_as_the_stages_cut_them(tmp_path, segmentation, changes):
    expected = written(tmp_path, segmentation, **changes)
    with contextlib.chdir(tmp_path):
        chosen = choose("rnnsearch_star", None, None)
        raw, words = (Preparation(chosen, tokenised, longest=99) for tokenised in (False, True))
    assert [raw(source).pieces for source, _ in DEV] == expected
    tokenised = read_lines(tmp_path / "work/tiny/corpus/dev.de")
    assert [words(line).pieces for line in tokenised] == expected
    assert words(DEV[0][0].replace("HUND", "HUND,")).pieces != raw(DEV[0][0].replace("HUND", "HUND,")).pieces


@pytest.mark.parametrize(
    ("segmentation", "changes"),
    [("bpe", {}), ("bpe", {"joint": True, "vocabulary_threshold": 4}), ("words", {}), ("words", {"straight": True})],
)
def test_lines_are_cut_alike_with_a_model_file(tmp_path, monkeypatch, segmentation, changes):
    expected = written(tmp_path, segmentation, **changes)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(model_parts, "halved", lambda path: b"no weights")
    study, chosen = study_systems(), choose("rnnsearch_star", None, None)
    about = {
        "variant": "rnnsearch_star", "title": "A title", "seed": 1, "study": "tiny", "corpus": "tiny",
        "direction": "forward", "segmentation": segmentation, "languages": ("de", "en"),
        "threshold": chosen.threshold, "decoding": chosen.decoding.model_dump(), "score": chosen.scoring.model_dump(),
    }  # fmt: skip
    write_model(tmp_path / "file", about, model_parts.files_of_model(study, "rnnsearch_star", 1))
    shutil.rmtree("work")
    with opened_system("", None, None, tmp_path / "file") as chosen:
        raw = Preparation(chosen, False, longest=99)
    assert [raw(source).pieces for source, _ in DEV] == expected
    assert str(chosen) == f"A title, seed 1, de -> en: {tmp_path / 'file'}"


def test_the_threshold_and_the_tables_make_a_difference(tmp_path):
    found = set()
    for k, changes in enumerate(({}, {"joint": True}, {"vocabulary_threshold": 4})):
        (tmp_path / str(k)).mkdir()
        found.add(str(written(tmp_path / str(k), "bpe", **changes)))
    assert len(found) == 3


@pytest.mark.training
@pytest.mark.parametrize("detokenise", [False, True])
def test_text_is_put_together_as_before_scoring(translated, monkeypatch, detokenise):
    monkeypatch.chdir(translated.root)
    chosen = choose("rnnencdec", None, None)
    chosen = chosen._replace(scoring=chosen.scoring.model_copy(update={"detokenise": detokenise}))
    with tiny.quiet():
        (answer,) = Translator(chosen, best=1)([Preparation(chosen, False, 99)("mao ba yu chi .")], None)
    (one,) = answer.hypotheses
    assert one.words.target[-1] == "." and one.text.endswith(" .") is not detokenise
