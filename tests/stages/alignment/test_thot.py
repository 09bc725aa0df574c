"""Thot's aligners: directions, limits, words that mean something to them, and machines without them."""

import json
import random
from importlib import metadata
from pathlib import Path

import pytest

from stages import thotalign
from stages.alignment import pharaoh, thot
from stages.alignment.symmetrise import grow_diag_final_and
from stages.alignment.thot_links import DIRECTIONS, METHODS, align_gold
from stages.files.corpus_record import CorpusRecord
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.scoring import aligner_scores
from stages.settings.smt import Aligner
from tests.helpers.corpora.made_up import make_demo

needs_thot = pytest.mark.skipif(thot.missing() is not None, reason=str(thot.missing()))
SETTINGS = Aligner(ibm1=3, hmm=3, null_prior=0.1, lexical_smoothing=0.1, jump_smoothing=0.3)
WORDS = ["|||", "({", "})", "<s>", "</s>", "<unk>", "<UNUSED_WORD>", "NULL", "UNKNOWN_WORD", "\\", "\\NULL", "x"]


def pairs_of(words: list[str]) -> list[tuple[list[str], list[str]]]:
    """Two target words for every source word."""
    numbers = random.Random(1)
    drawn = [[numbers.choice(words) for _ in range(4)] for _ in range(150)]
    return [(line, [f"{word}{k}" for word in line for k in "tu"]) for line in drawn]


def test_escaping_can_be_undone_and_leaves_nothing_reserved() -> None:
    escaped = thot.escape(WORDS)
    assert not set(escaped) & thot.RESERVED
    assert len(set(escaped)) == len(WORDS)
    assert thot.unescape(escaped) == WORDS


@needs_thot
@pytest.mark.parametrize("words", [[f"s{k}" for k in range(20)], WORDS])
def test_every_target_word_takes_one_source_word(words: list[str]) -> None:
    pairs = pairs_of(words)
    forward = thot.train(pairs, SETTINGS)
    right = {(j, i) for j in range(4) for i in (2 * j, 2 * j + 1)}
    for model in forward:
        found = [thot.links(model, *pair) for pair in pairs]
        assert all(len({i for _, i in links}) == len(links) for links in found)
    assert sum(len(right & set(links)) for links in found) > 0.9 * 8 * len(pairs)


@needs_thot
def test_links_are_those_of_words_the_model_has_not_seen_too() -> None:
    model = thot.train(pairs_of(["a", "b"]), SETTINGS).hmm
    assert all(j < 2 and i < 3 for j, i in thot.links(model, ["new", "a"], ["at", "au", "other"]))


@needs_thot
def test_too_long_a_pair_has_no_links_and_is_left_out() -> None:
    pairs = pairs_of(["a", "b"])
    long = (["a"] * (thot.LONGEST + 1), ["at"])
    model = thot.train([*pairs, long, ([], [])], SETTINGS).ibm1
    assert model.num_sentence_pairs == len(pairs)
    assert thot.links(model, *long) == []
    with pytest.raises(InputError, match="there is no sentence pair of at most 200 words"):
        thot.train([long], SETTINGS)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_demo(tmp_path_factory.mktemp("demo") / "corpus", train=300, dev=20, test=10, gold=40)


def run(corpus: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    monkeypatch.chdir(folder)
    thotalign.thotalign(corpus, SETTINGS, Path("out"))
    return json.loads(Path("out/scores.json").read_text())


@pytest.mark.slow
@needs_thot
def test_the_stage_writes_links_and_scores(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = run(corpus, tmp_path, monkeypatch)
    assert tuple(record["aligners"]) == METHODS
    for method, values in record["aligners"].items():
        assert values == aligner_scores.score(Path(f"out/gold.{method}"), corpus, ("zh", "en"))
        assert values["aer"] < 75
    for model in ("ibm1", "hmm"):
        each = [pharaoh.read(Path(f"out/gold.{model}_{method}")) for method in DIRECTIONS]
        for forward, reverse, both, certain in zip(*each, strict=True):
            assert len({i for _, i in forward}) == len(forward) and len({j for j, _ in reverse}) == len(reverse)
            assert both == sorted(grow_diag_final_and(forward, reverse))
            assert certain == sorted({*forward} & {*reverse})
    pairs = sum(len(read_lines(corpus / f"{name}.zh")) for name in ("train", "dev", "gold"))
    assert record["recipe"]["text"] == f"as above ({pairs} pairs)"
    first = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    run(corpus, tmp_path, monkeypatch)
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == first


def test_words_are_in_the_lower_case_of_their_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("train", "dev", "gold"):
        write_lines(tmp_path / f"{name}.tr", ["IŞIK"])
        write_lines(tmp_path / f"{name}.en", ["LIGHT"])
    seen = []

    def train(pairs: list, settings: Aligner) -> None:
        seen.extend(pairs)
        raise InterruptedError

    monkeypatch.setattr(thot, "train", train)
    with pytest.raises(InterruptedError):
        align_gold(tmp_path, CorpusRecord("tr", "en", ("test",), True, {}), SETTINGS, tmp_path)
    assert seen == [(["ışık"], ["light"])] * 3


@pytest.fixture
def without_thot(monkeypatch: pytest.MonkeyPatch):
    """A machine that has no wheel of it."""

    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(thot, "version", version)
    thot.missing.cache_clear()
    yield
    thot.missing.cache_clear()


def test_without_thot_there_are_no_aligners_and_the_reason(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_thot
) -> None:
    record = run(corpus, tmp_path, monkeypatch)
    assert record == {"aligners": {}, "recipe": {"left out": thot.MISSING}}
    with pytest.raises(InputError, match=r"sil-thot is not installed.*; take smt off `smt` in params\.yaml"):
        thot.library("alignment")


def test_one_that_does_not_load_is_an_error_with_its_remedy_and_no_result(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DVC would keep "left out" and hand it to machines on which it loads."""

    def import_module(name: str) -> None:
        raise ImportError("libthot.so: invalid ELF header")

    monkeypatch.setattr(thot, "version", lambda name: "3.5.3")
    monkeypatch.setattr(thot, "import_module", import_module)
    thot.missing.cache_clear()
    with pytest.raises(InputError, match=r"does not load \(libthot.*install it anew: .*force-reinstall"):
        run(corpus, tmp_path, monkeypatch)
    assert not Path("out").exists()
