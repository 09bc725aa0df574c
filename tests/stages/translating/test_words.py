"""Words instead of pieces: vocabularies with a cut-off, and the miniature study run on them from end to end."""

import contextlib
import itertools
import math
import shutil
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
import torch
import yaml

from fairseq_plugins import compat
from stages import binarize, bpe, candidates, evaluate, score
from stages.files.records import read_json, write_json
from stages.files.text import read_lines, write_lines
from stages.scoring.system_files import Folders
from stages.settings.training import Decoding
from stages.translating.decoding import System, force, translate
from stages.translating.load import load_system
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

    def run(self, stage: Callable[..., None], *given: Any) -> None:
        with contextlib.chdir(self.root), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fairseq's
            stage(*given)

    def dictionary(self, language: str) -> Dictionary:
        return Dictionary.load(str(self.root / "bin" / f"dict.{language}.txt"))

    def words(self, part: str, language: str) -> list[list[str]]:
        return [line.split(" ") for line in read_lines(self.root / "words" / f"{part}.{language}")]


def study(root: Path, direction: str, limits: dict[str, int | None]) -> Study:
    run = f"work/{tiny.CORPUS}/{direction}-words"
    params = tiny.params() | {"segmentation": "words", "direction": direction, "run": run}
    params["variants"] = {"lvnmt": MODEL | {"training": {"max_epoch": 2}}}
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
    made.run(bpe.bpe, tiny.CORPUS, "words", Path("corpus"), Path("words"))
    made.run(binarize.binarize, tiny.CORPUS, "words", Path("words"), pair, Path("bin"))
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
    from stages.settings.study_run import study_run
    from stages.train import job, train

    made = study(tmp_path_factory.mktemp("words"), "forward", SIZES)
    sides = [made.words("train", language) for language in (made.source, made.target)]
    diagonal = [" ".join(f"{k}-{k}" for k in range(min(map(len, pair)))) for pair in zip(*sides, strict=True)]
    write_lines(made.root / "wordalign" / "train.gdfa", diagonal)
    for name in ("source-target", "target-source"):
        write_lines(made.root / "wordalign" / f"lexicon.{name}.tsv", ["Xq\tXQ\t1.0\t1", ".\tSTOP\t1.0\t1"])
    table = Path("supervision/candidates.tsv")
    made.run(candidates.candidates, tiny.CORPUS, "forward", Path("words"), Path("wordalign"), table)
    write_lines(made.root / "code", ["none"])
    places = {"text": "corpus", "bpe": "words", "data": "bin", "code": "code", "supervision": "supervision"}
    places |= {"scratch": "scratch", "out": "model"}
    with contextlib.chdir(made.root):
        one = job(study_run(tiny.CORPUS), "lvnmt", 1, reverse=False, fine_tuned=False)
    made.run(train, one._replace(**{name: Path(place) for name, place in places.items()}))
    shutil.rmtree(made.root / "supervision")
    names = ("corpus", "words", "bin", "model/model.pt")
    made.run(evaluate.evaluate, tiny.CORPUS, "forward", False, *map(Path, names), None, Path("translations"))
    return made


@pytest.mark.training
def test_a_trained_system_holds_its_table_and_names_no_file(finished):
    checkpoint = compat.load_checkpoint(finished.root / "model" / "model.pt")
    assert checkpoint["cfg"]["model"].candidate_table is None
    assert len(checkpoint["model"]["decoder.candidates.tokens"]) > 10


@pytest.mark.training
def test_every_word_of_a_translation_is_known_or_unknown(finished):
    known = {*finished.dictionary(finished.target).symbols}
    translations = read_translations(finished.root / "translations" / "test.jsonl")
    sources = finished.words("test", finished.source)
    assert [one.source for one in translations] == sources  # as they are, for copying
    assert set().union(*(one.target for one in translations)) <= known


@pytest.mark.training
def test_perplexity_of_a_system_with_candidates_is_over_all_words(finished):
    """As everybody's, or it would not compare: of forced decoding and in the learning curve."""
    system = load_system(finished.root / "model" / "model.pt", finished.root / "bin")
    given, references = (finished.words("dev", language) for language in (finished.source, finished.target))
    restricted = _log_probabilities(system, given, references)
    candidates, system.model.decoder.candidates = system.model.decoder.candidates, None
    whole = _log_probabilities(system, given, references)
    system.model.decoder.candidates = candidates
    forced = read_translations(finished.root / "translations" / "dev.forced.jsonl")
    assert [p for one in forced for p in one.log_probabilities] == pytest.approx(whole, abs=1e-4)
    assert sum(whole) < sum(restricted) - 0.1
    curve = pd.read_csv(finished.root / "model" / "curve.csv").set_index("epoch")
    best = read_json(finished.root / "model" / "training.json")["best_epoch"]
    assert curve.loc[best, "dev_ppl"] == pytest.approx(math.exp(-sum(whole) / len(whole)), abs=0.006)


def _log_probabilities(system: System, given: list[list[str]], references: list[list[str]]) -> list[float]:
    """ln p of every word and end of sentence, pair by pair and without the decoder that is tested."""
    found = []
    for sides in zip(given, references, strict=True):
        source, target = (
            torch.tensor([[*map(dictionary.index, words), dictionary.eos()]])
            for words, dictionary in zip(sides, (system.source_dictionary, system.target_dictionary), strict=True)
        )
        previous = torch.cat((target[:, -1:], target[:, :-1]), 1)
        with torch.inference_mode():
            logits, _ = system.model(source, torch.tensor([source.shape[1]]), previous)
        found += logits.log_softmax(-1)[0].gather(1, target.T).flatten().tolist()
    return found


@pytest.mark.training
def test_translations_keep_to_the_candidates(finished):
    system = load_system(finished.root / "model" / "model.pt", finished.root / "bin")
    with torch.no_grad():
        system.model.decoder.W_o.bias.zero_()
    given = finished.words("test", finished.source)
    force(system, given, finished.words("test", finished.target), 1000, progress=None)
    decoding = Decoding.model_validate(tiny.params()["corpora"][tiny.CORPUS]["decoding"])
    for sentence, one in zip(given, translate(system, given, decoding, progress=None), strict=True):
        ids = torch.tensor([[*map(system.source_dictionary.index, sentence), system.source_dictionary.eos()]])
        nothing = torch.full((1, 1), system.target_dictionary.eos())
        allowed = system.model.decoder.candidates(ids, nothing)[0]
        assert all(allowed[system.target_dictionary.index(word)] for word in one.target)
    assert not allowed.all()


@pytest.mark.training
def test_the_study_is_scored(finished):
    made = finished
    untagged = {"tagger": None, "why": "none knows it", "tags_of_new_text": None, "words": None, "accuracy": None}
    write_json(made.root / "tags" / "about.json", dict.fromkeys((made.source, made.target), untagged))
    folders = Folders(*map(Path, ("translations", "model/training.json", "wordalign", "tags")), None)
    made.run(score.write_scores, tiny.CORPUS, "forward", "lvnmt", 1, Path("corpus"), folders, Path("scores"))
    scores = read_json(made.root / "scores" / "scores.json")
    assert scores["metrics"]["bleu"] > 0 and "lexicon" in scores["recipe"]["unknown_words"]
