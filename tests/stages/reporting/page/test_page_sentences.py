"""The sentences on the page: their blocks, weights and values, and how many there is room for."""

from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from stages.files.text import read_lines
from stages.measures import bleu
from stages.measures import hard_links as links
from stages.reporting.page import write_page as write_page_module
from stages.reporting.page.blocks import quantised
from stages.reporting.page.fit import LEVELS, fit, pack
from stages.reporting.page.fonts import font_face
from stages.reporting.page.write_page import LIMIT
from stages.reporting.sentence_sets import SentenceSet, Side, sentence_aer, sentence_bleu
from stages.translating.translations import Translation, read_translations
from tests.stages.reporting.page.written import SHAPE, SILENT, STAR, TITLES, Scripts, make, opened


def test_blocks_hold_the_sentences(small: Path, written: str) -> None:
    data = Scripts(written).data
    system = list(TITLES).index(STAR)
    for k, name in enumerate(("test", "test2", "gold")):
        assert data["data"]["sets"][k]["name"] == name
        text, _ = opened(data[f"block-{k}"])
        assert text["source"] == list(read_lines(small / f"corpus/{name}.zh"))
        side, weights = opened(data[f"block-{k}-{system}"])
        file = "gold.forced.jsonl" if name == "gold" else f"{name}.jsonl"
        translations = read_translations(small / f"forward-bpe/translations/{STAR}-1/{file}")
        if name == "gold":
            assert "target" not in side
            assert text["references"] == [[line] for line in read_lines(small / "corpus/gold.en")]
            assert text["gold"][1]["sure"] and text["gold"][1]["possible"]
        else:
            assert side["target"] == [" ".join(one.target) for one in translations]
            assert len(text["references"][0]) == 2
        assert side["rows"] == [len(one.attention) for one in translations]
        expected = np.concatenate([one.attention.ravel() for one in translations])
        np.testing.assert_allclose(np.frombuffer(weights, np.uint8) / 100, expected, atol=0.0151)


def test_a_set_says_what_a_system_can_be_compared_by(written: str) -> None:
    test, _, gold = Scripts(written).data["data"]["sets"]
    star, silent = list(TITLES).index(STAR), list(TITLES).index(SILENT)
    assert (test["measures"][star], test["measures"][silent]) == (["bleu", "over-translation"], ["bleu"])
    assert (gold["measures"][star], gold["measures"][silent]) == (["aer"], [])


def test_system_without_attention_has_no_weights(written: str) -> None:
    side, weights = opened(Scripts(written).data[f"block-0-{list(TITLES).index(SILENT)}"])
    assert weights is None and "rows" not in side and "over-translation" not in side


@pytest.mark.parametrize("levels", LEVELS)
def test_coarse_weights_keep_every_link(levels: int) -> None:
    random = np.random.default_rng(3)
    for sharpness in (0.02, 0.3, 3.0):
        attention = random.dirichlet(np.full(12, sharpness), 200).round(3)
        attention[::9] = 0
        attention[1::9] = attention[1::9].mean(axis=1, keepdims=True)  # all equal
        coarse = quantised(attention, levels)
        np.testing.assert_array_equal(links.strongest(coarse, "drop"), links.strongest(attention, "drop"))
        assert np.abs(coarse / levels - attention).max() < 1.5 / levels + 1e-9


def test_weights_are_bytes_even_above_one() -> None:
    assert quantised(np.array([[1.001, 0.004], [0.0, 0.996]]), 100).tolist() == [[100, 0], [0, 100]]
    assert quantised(np.zeros((0, 4)), 100).size == 0


def sentence_set(sentences: int) -> SentenceSet:
    random = np.random.default_rng(5)
    words = [f"w{k}" for k in range(20)]
    made = [Translation(words, words, random.dirichlet(np.ones(21), 21), []) for _ in range(sentences)]
    line = " ".join(words)
    side = Side(made, {"bleu": [1.0] * sentences})
    return SentenceSet("test", False, [line] * sentences, [(line,)] * sentences, None, {"a": side})


def test_weights_become_coarser_before_sentences_are_left_out() -> None:
    sets = [sentence_set(40)]
    finest = fit(sets, 10**9)
    assert (finest.levels, finest.sentences) == (LEVELS[0], 40)
    coarser = fit(sets, finest.size - 1)
    assert (coarser.levels, coarser.sentences) == (LEVELS[1], 40)
    assert coarser.size < finest.size
    shorter = fit(sets, finest.size // 8)
    assert shorter.levels == LEVELS[-1] and 1 < shorter.sentences < 40
    assert shorter.size <= finest.size // 8
    assert fit(sets, 0).sentences == 1


def test_almost_as_many_sentences_as_fit_are_kept() -> None:
    sets = [sentence_set(40)]
    room = pack(sets, LEVELS[-1], 30).size
    packed = fit(sets, room)
    assert packed.levels == LEVELS[-1] and packed.size <= room and 27 <= packed.sentences <= 30


def test_the_page_is_small_enough_for_git() -> None:
    assert LIMIT <= 4_000_000


@pytest.mark.slow
def test_a_page_is_no_larger_than_its_limit(
    small: Path, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that stands around the sentences, and a font of their characters."""
    blocks = sum(len(text) for of, text in Scripts(written).scripts if str(of.get("id")).startswith("block-"))
    limit = len(written.encode()) - blocks // 2
    monkeypatch.setattr(write_page_module, "LIMIT", limit)
    smaller = make(small, tmp_path)
    assert limit - blocks // 4 < len(smaller.encode()) <= limit
    assert Scripts(smaller).data["data"]["sets"][0]["sentences"] < SHAPE.sentences


@pytest.mark.slow
def test_the_font_is_of_the_sentences_that_are_shown() -> None:
    side = Side([Translation(["x"], ["x"], None, [])] * 2, {})
    sets = [SentenceSet("test", False, ["中", "国"], [("a",)] * 2, None, {"a": side})]
    assert len(font_face({}, sets, 1)) < len(font_face({}, sets, 2))
    assert font_face({}, [sets[0]._replace(source=["a", "国"])], 1) == ""


# Values of a sentence


def test_sentence_bleu_is_sacrebleu_s() -> None:
    scorer = BLEU(effective_order=True)
    pairs = [("the cat sat on the mat", "a cat sat on the mat"), ("a b", "a b"), ("x y z", "a b c"), ("a", "a b c d e")]
    expected = [scorer.sentence_score(given, [reference]) for given, reference in pairs]
    counts = [bleu.statistics(given, [reference], bleu.scorer("13a", False)) for given, reference in pairs]
    np.testing.assert_allclose(sentence_bleu(np.array(counts)), [one.score for one in expected])


def test_sentence_error_rate() -> None:
    np.testing.assert_allclose(sentence_aer(np.array([[4, 4, 3, 4], [0, 0, 0, 0]])), [12.5, np.nan])
