"""Words instead of pieces: vocabularies with a cut-off, and the miniature study run on them from end to end."""

import contextlib
import itertools
import shutil
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from fairseq_plugins import compat
from stages import binarize, bpe, candidates, evaluate, score
from stages.files.records import read_json, write_json
from stages.files.text import read_lines, write_lines
from stages.translating.translations import read_translations
from tests.helpers import tiny

from fairseq.data import Dictionary, data_utils

SIZES = {tiny.SOURCE: 9, tiny.TARGET: 11}  # words; both sides have more
MODEL = {"arch": "lvnmt", "candidate_frequent": 3}


class Study(NamedTuple):
    """A folder with the text of the miniature study as words, and how its stages are called."""

    root: Path
    direction: str
    source: str
    target: str

    def run(self, main, **options: Any) -> None:
        with contextlib.chdir(self.root), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fairseq's
            tiny.run(main, corpus=tiny.CORPUS, direction=self.direction, **options)

    def dictionary(self, language: str) -> Dictionary:
        return Dictionary.load(str(self.root / "bin" / f"dict.{language}.txt"))

    def words(self, part: str, language: str) -> list[list[str]]:
        return [line.split(" ") for line in read_lines(self.root / "words" / f"{part}.{language}")]


def study(root: Path, direction: str, limits: dict[str, int | None]) -> Study:
    params = tiny.params() | {"segmentation": "words", "direction": direction}
    params["variants"] = {"lvnmt": {"title": "LVNMT", "model": MODEL, "training": {"max_epoch": 2}}}
    settings = params["corpora"][tiny.CORPUS]
    vocabularies = {"source": limits[tiny.SOURCE], "target": limits[tiny.TARGET]}
    settings["segmentation"] |= {"joint": True, "word_vocabulary": vocabularies}
    settings["score"] |= {"unk_replace": "lexical"}
    (root / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    shutil.copytree(tiny.study() / tiny.TEXT, root / "corpus")
    for part, language in itertools.product(("dev", "test"), (tiny.SOURCE, tiny.TARGET)):
        shutil.copy(root / "corpus" / f"{part}.{language}", root / "corpus" / f"{part}.ref0.{language}")
    write_lines(root / "corpus" / "gold.align", ["0-0"] * 3)
    pair = (tiny.SOURCE, tiny.TARGET) if direction == "forward" else (tiny.TARGET, tiny.SOURCE)
    made = Study(root, direction, *pair)
    with contextlib.chdir(root):
        tiny.run(bpe.main, corpus=tiny.CORPUS, segmentation="words", text="corpus", out="words")
    made.run(binarize.main, bpe="words", out="bin", out_reverse="bin-reverse")
    return made


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("limits", [SIZES, {tiny.SOURCE: None, tiny.TARGET: 11}, dict.fromkeys(SIZES)])
def test_words_beyond_the_cut_off_are_unknown(tmp_path, direction, limits):
    """Each language has its own limit whichever way it is translated, and never the other's words."""
    made = study(tmp_path, direction, limits)
    for language, limit in limits.items():
        dictionary, counts = made.dictionary(language), Counter(itertools.chain(*made.words("train", language)))
        assert limit is None or limit < len(counts)
        known = [word for word in dictionary.symbols[dictionary.nspecial :] if not word.startswith("madeupword")]
        assert len(known) == (limit or len(counts)) and set(known) <= set(counts)
        assert min(counts[word] for word in known) >= max(
            (counts[word] for word in set(counts) - set(known)), default=0
        )
        prefix = tmp_path / "bin" / f"train.{made.source}-{made.target}.{language}"
        binary = data_utils.load_indexed_dataset(str(prefix), dictionary)
        for sentence, ids in zip(made.words("train", language), binary, strict=True):
            expected = [word if word in known else "<unk>" for word in sentence]
            assert [dictionary[k] for k in ids] == [*expected, "</s>"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Study:
    """LVNMT trained on words and evaluated; the aligner's part is played by links along the diagonal."""
    from stages.train import main as train

    made = study(tmp_path_factory.mktemp("words"), "forward", SIZES)
    sides = [made.words("train", language) for language in (made.source, made.target)]
    diagonal = [" ".join(f"{k}-{k}" for k in range(min(map(len, pair)))) for pair in zip(*sides, strict=True)]
    write_lines(made.root / "wordalign" / "train.gdfa", diagonal)
    for name in ("source-target", "target-source"):
        write_lines(made.root / "wordalign" / f"lexicon.{name}.tsv", ["Xq\tXQ\t1.0\t1", ".\tSTOP\t1.0\t1"])
    made.run(candidates.main, bpe="words", wordalign="wordalign", out="supervision/candidates.tsv")
    write_lines(made.root / "code", ["none"])
    made.run(
        train, variant="lvnmt", seed=1, text="corpus", bpe="words", data="bin", code="code",
        supervision="supervision", scratch="scratch", out="model",
    )  # fmt: skip
    shutil.rmtree(made.root / "supervision")
    made.run(evaluate.main, text="corpus", bpe="words", data="bin", model="model/model.pt", out="translations")
    return made


def test_a_trained_system_holds_its_table_and_names_no_file(finished):
    checkpoint = compat.load_checkpoint(finished.root / "model" / "model.pt")
    assert checkpoint["cfg"]["model"].candidate_table is None
    assert len(checkpoint["model"]["decoder.candidates.tokens"]) > 10


def test_every_word_of_a_translation_is_known_or_unknown(finished):
    known = {*finished.dictionary(finished.target).symbols}
    translations = read_translations(finished.root / "translations" / "test.jsonl")
    sources = finished.words("test", finished.source)
    assert [one.source for one in translations] == sources  # as they are, for copying
    assert set().union(*(one.target for one in translations)) <= known


def test_forced_words_beyond_the_candidates_have_a_probability(finished):
    for one in read_translations(finished.root / "translations" / "dev.forced.jsonl"):
        assert min(one.log_probabilities) > -50


def test_the_study_is_scored(finished):
    made, cell = finished, {"variant": "lvnmt", "seed": 1}
    untagged = {"tagger": None, "why": "none knows it", "tags_of_new_text": None, "words": None, "accuracy": None}
    write_json(made.root / "tags" / "about.json", dict.fromkeys((made.source, made.target), untagged))
    made.run(
        score.main, **cell, text="corpus", translations="translations", training="model/training.json",
        wordalign="wordalign", tags="tags", out="scores",
    )  # fmt: skip
    scores = read_json(made.root / "scores" / "scores.json")
    assert scores["metrics"]["bleu"] > 0 and "lexicon" in scores["recipe"]["unknown_words"]
