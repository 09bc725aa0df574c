"""The embedding transform: the words it maps to each other, their file, and its precision."""

import json
import math
from collections import Counter

import numpy as np
import pytest
import torch

from stages.files.errors import InputError
from stages.files.records import write_json
from stages.measures import nearest_precision as measure
from stages.translating.decoding import System
from stages.translating.nearest_words import nearest_words
from stages.translating.translations import Nearest, read_transform
from tests.helpers import tiny
from tests.helpers.decoding import untrained

WITH_TRANSFORM = {
    "bridging_direct": ("--arch", "bridging_direct"),
    "ba_bridging": ("--arch", "attnmt", "--terms", ",".join(tiny.FINE_TUNED["ba_bridging"]["terms"])),
}


def load(variant: str) -> System:
    return untrained("rnnsearch_star", *WITH_TRANSFORM.get(variant, ()))


def pieces_of_train(language: str) -> list[str]:
    return [piece for sentence in tiny.pieces("train", language) for piece in sentence]


TRAIN = [lambda side=side: Counter(pieces_of_train(side)) for side in (tiny.SOURCE, tiny.TARGET)]


# What a system finds


@pytest.mark.slow
@pytest.mark.parametrize("variant", WITH_TRANSFORM)
def test_nearest_words_one_by_one(variant):
    system = load(variant)
    source, target = system.source_dictionary, system.target_dictionary
    E_x, E_y = (side.embed_tokens.weight.detach().numpy() for side in (system.model.encoder, system.model.decoder))
    W = system.model.decoder.attention.terms["direct_bridging"].W.weight.detach().numpy()
    found = nearest_words(system, TRAIN)
    words = {piece for piece in pieces_of_train(tiny.TARGET) if not piece.endswith("@@")}
    assert set(found["targets"]) == words
    assert {one["word"] for one in found["words"]} == {p for p in pieces_of_train(tiny.SOURCE) if not p.endswith("@@")}
    counts = [one["count"] for one in found["words"]]
    assert counts == sorted(counts, reverse=True)
    smallest = []
    for one in found["words"]:
        assert one["count"] == pieces_of_train(tiny.SOURCE).count(one["word"])
        x = W @ E_x[source.index(one["word"])]
        distances = {word: math.dist(x, E_y[target.index(word)]) for word in words}
        expected = sorted(words, key=distances.__getitem__)[:5]
        assert [word for word, _ in one["nearest"]] == expected
        assert [distance for _, distance in one["nearest"]] == pytest.approx([*map(distances.get, expected)], abs=2e-5)
        smallest.append(distances[expected[0]])
    assert found["mean_distance"] == pytest.approx(np.mean(smallest), rel=1e-5)
    for name, table, dictionary in (("mean_norm_x", E_x, source), ("mean_norm_y", E_y, target)):
        norms = [np.linalg.norm(table[k]) for k in range(dictionary.nspecial, len(dictionary))]
        assert found[name] == pytest.approx(np.mean(norms), rel=1e-5)


def test_a_transform_that_maps_a_word_onto_its_translation():
    system = load("bridging_direct")
    before = nearest_words(system, TRAIN)
    word, target = before["words"][0]["word"], before["targets"][-1]
    decoder = system.model.decoder
    with torch.no_grad():
        E_x = system.model.encoder.embed_tokens.weight[system.source_dictionary.index(word)]
        mapped = decoder.attention.terms["direct_bridging"].W(E_x)
        decoder.embed_tokens.weight[: system.target_dictionary.nspecial] = mapped  # as near, but no words
        decoder.embed_tokens.weight[system.target_dictionary.index(target)] = mapped
    assert nearest_words(system, TRAIN)["words"][0]["nearest"][0] == [target, pytest.approx(0, abs=1e-5)]


def test_only_the_most_frequent_words_are_asked(monkeypatch):
    system = load("bridging_direct")
    everything = nearest_words(system, TRAIN)["words"]
    monkeypatch.setattr("stages.translating.nearest_words.ASKED", 4)
    monkeypatch.setattr("stages.translating.nearest_words.ROWS", 3)
    assert nearest_words(system, TRAIN)["words"] == everything[:4]


@pytest.mark.slow
def test_a_vocabulary_of_both_languages_gives_each_side_its_own_words():
    """What counts is the text of the side: the dictionary counts both together, and holds the other side's words."""
    system = load("bridging_direct")
    source, target = (count() for count in TRAIN)
    other, alike = next(iter(target)), next(piece for piece in source if not piece.endswith("@@"))
    rest = {piece: n for piece, n in source.items() if piece != alike}
    without = nearest_words(system, [lambda: rest, lambda: {p: n for p, n in target.items() if p != other}])
    assert {one["word"] for one in without["words"]} == {piece for piece in rest if not piece.endswith("@@")}
    assert other not in without["targets"]
    assert {one["word"]: one["count"] for one in without["words"]}.items() <= rest.items()


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["rnnsearch_star", "rnnencdec", "transformer", "cohn_agreement"])
def test_a_system_without_transform(variant):
    assert nearest_words(load(variant), TRAIN) is None


# Its file

CONTENT = {
    "words": [{"word": "mao", "count": 3, "nearest": [["cat", 0.5], ["dog", 1.5]]}],
    "targets": ["cat", "dog"], "mean_norm_x": 1.5, "mean_norm_y": 2.5, "mean_distance": 0.5,
}  # fmt: skip


def test_reading_a_transform(tmp_path):
    path = tmp_path / "transform.json"
    write_json(path, CONTENT)
    assert read_transform(path) == ([Nearest("mao", 3, ["cat", "dog"])], {"cat", "dog"}, 1.5, 2.5, 0.5)
    write_json(path, None)
    assert read_transform(path) is None


@pytest.mark.parametrize(
    "bad", [[], {}, {**CONTENT, "words": [{"word": "mao"}]}, {**CONTENT, "words": 3}, {**CONTENT, "targets": None}]
)
def test_a_file_that_holds_no_transform(tmp_path, bad):
    path = tmp_path / "transform.json"
    path.write_text(json.dumps(bad))
    with pytest.raises(InputError, match=r"holds no transform.*evaluate stage again") as error:
        read_transform(path)
    assert str(path) in str(error.value)


# Its precision

BEST = {"x1": "a", "x2": "b", "x3": "unheard", "x4": "d", "x5": "a"}
TARGETS = frozenset("abcdefg")
WORDS = [
    ("x1", "abcde"),  # right at 1
    ("x0", "abcde"),  # not in the lexical table
    ("x2", "acdeb"),  # right at 5
    ("x3", "abcde"),  # its translation is no word of the target side
    ("x4", "abceg"),  # wrong
    ("x5", "abcde"),  # right at 1
]


@pytest.mark.parametrize(
    ("first", "expected"),
    [(1, (100, 100, 1)), (2, (50, 100, 2)), (3, (100 / 3, 200 / 3, 3)), (10, (50, 75, 4)), (0, (np.nan, np.nan, 0))],
)
def test_precision_on_the_most_frequent_words(first, expected):
    assert measure.precision(WORDS, BEST, TARGETS, first) == pytest.approx(expected, nan_ok=True)


def test_precision_of_nothing():
    for nothing in (([], BEST, TARGETS), (WORDS, {}, TARGETS), (WORDS, BEST, frozenset())):
        assert measure.precision(*nothing, 10) == pytest.approx((np.nan, np.nan, 0), nan_ok=True)


def test_a_translation_beyond_the_fifth_is_not_found():
    assert measure.statistics([*"abcdef"], "f") == (1, 0, 0)
    assert measure.statistics([*"abcdef"], "b") == (1, 0, 1)


def test_many_totals_at_once():
    totals = np.array([[[4, 2, 3], [1, 0, 0]], [[0, 0, 0], [2, 2, 2]]])
    found = measure.of_totals(totals)
    np.testing.assert_equal(found.at_1, [[50, 0], [np.nan, 100]])
    np.testing.assert_equal(found.at_5, [[75, 0], [np.nan, 100]])
    np.testing.assert_equal(found.asked, [[4, 1], [0, 2]])
