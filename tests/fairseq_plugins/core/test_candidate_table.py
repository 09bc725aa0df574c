"""Candidate lists: the table as the model reads it, and the words that it allows a sentence."""

import random

import pytest
import torch

from fairseq_plugins.core.candidates import CandidateLists, read_table
from tests.helpers.candidate_table import SOURCE, TABLE, TARGET, with_table, write_table
from tests.helpers.support import (
    build,
)


def ids(words: str) -> list[int]:
    return [TARGET.index(word) for word in words.split()]


def test_the_table_in_ids(tmp_path):
    lines = [*TABLE, "w0 never\tw1", "w6\tnever w1 w2 w3", "w7\tnever", "never\tw1", "ever\tw1", "<pad>\tw1"]
    lines += ["w8\tw1 w2 w3\tnever w2 w4 w5"]  # the two best of either ranking
    table = read_table(write_table(tmp_path, lines), SOURCE, TARGET, most=2)
    expected = {
        "w0": "w3 w1",
        "w0 w1": "w9",
        "w1 w0 w2": "w10 w11",
        "w5": "w12",
        "w6": "w1 w2",
        "w7": "",
        "w8": "w1 w2 w4",
    }
    assert table == {tuple(map(SOURCE.index, ngram.split())): ids(words) for ngram, words in expected.items()}


@pytest.mark.parametrize(
    ("line", "message"),
    [("w1", "line 2 is no"), ("w1\tw1\tw1\tw1", "line 2 is no"), ("w1\tw1\t", "line 2 is no"),
     ("w1\t", "line 2 is no"), ("w1  w2\tw1", "line 2 is no"),
     ("", "line 2 is no"), ("w0\tw1", "line 2: 'w0' stands twice")],
)  # fmt: skip
def test_a_damaged_table(tmp_path, line, message):
    path = write_table(tmp_path, [TABLE[0], line])
    with pytest.raises(ValueError, match=rf"candidates\.tsv: .*{message}.*run the candidates stage again"):
        read_table(path, SOURCE, TARGET, 10)


@pytest.mark.parametrize(
    ("frequent", "expected"), [(1, "w7"), (3, "w7 w2 w9"), (4, "w7 w2 w9 w0"), (5, "w7 w2 w9 w0 w1")]
)
def test_frequent_words_are_those_of_the_table(tmp_path, frequent, expected):
    """In the order of a joint dictionary w0 and w1 are more frequent, as words of the source; w9 is rare on both."""
    path = write_table(tmp_path, ["\tw7 never w2 w9", *TABLE])
    model = build(with_table(path, candidate_frequent=frequent, candidate_translations=1)).model
    (found,) = sets(model.decoder.candidates, [[SOURCE.eos()]], [[TARGET.eos()]])
    assert found == {*range(TARGET.nspecial), *ids(expected)}


def test_a_missing_table(tmp_path):
    with pytest.raises(ValueError, match=r"absent\.tsv: no table.*run the candidates stage"):
        build(with_table(tmp_path / "absent.tsv"))


def sets(lists: CandidateLists, source: list[list[int]], words: list[list[int]]) -> list[set[int]]:
    width = max(map(len, source))
    padded = torch.tensor([[*row, *[SOURCE.pad()] * (width - len(row))] for row in source])
    allowed = lists(padded, torch.tensor(words))
    return [set(row.nonzero().flatten().tolist()) for row in allowed]


@pytest.mark.parametrize(
    ("sentence", "words", "expected"),
    [
        ("w4", "", ""),
        ("w0", "", "w1 w2 w3"),
        ("w4 w0 w4", "", "w1 w2 w3"),
        ("w0 w1", "", "w1 w2 w3 w9"),
        ("w1 w0", "", "w1 w2 w3"),  # the beginning of a longer n-gram is no n-gram
        ("w1 w0 w2", "", "w1 w2 w3 w10 w11"),
        ("w1 w0 w4 w2", "", "w1 w2 w3"),
        ("w1 w0 w1 w0 w2 w5", "w7 w8", "w1 w2 w3 w7 w8 w9 w10 w11 w12"),
        ("<unk> w5", "w0", "w0 w12"),
    ],
)
def test_candidates_by_hand(tmp_path, sentence, words, expected):
    lists = CandidateLists(read_table(write_table(tmp_path), SOURCE, TARGET, 10), len(SOURCE), len(TARGET), range(5))
    source = [*map(SOURCE.index, sentence.split()), SOURCE.eos()]
    longer = [SOURCE.index("w0"), *[SOURCE.index("w4")] * 8, SOURCE.eos()]
    always = {TARGET.bos(), TARGET.pad(), TARGET.eos(), TARGET.unk(), TARGET.index("w0")}  # w0 is the most frequent
    given = [TARGET.eos(), *ids(words)]
    alone, (together, _) = sets(lists, [source], [given]), sets(lists, [source, longer], [given, given])
    assert alone == [together] == [always | set(ids(expected))]


def test_a_table_of_nothing():
    lists = CandidateLists({}, len(SOURCE), len(TARGET), range(6))
    assert sets(lists, [[4, 5, 2]], [[2, 9]]) == [{0, 1, 2, 3, 4, 5, 9}]


def test_candidates_equal_plain_loops():
    draw = random.Random(1)

    def ngrams(types: int, longest: int, count: int) -> list[tuple[int, ...]]:
        return [tuple(draw.choices(range(4, types), k=draw.randint(1, longest))) for _ in range(count)]

    table = {ngram: draw.sample(range(4, 900), draw.randint(0, 3)) for ngram in ngrams(9, 4, 150)}
    lists = CandidateLists(table, source_types=9, target_types=900, always=range(4))
    sentences = [[*words, 2] for words in ngrams(9, 12, 60)]
    found = sets(lists, sentences, [[2]] * 60)
    for sentence, candidates_found in zip(sentences, found, strict=True):
        spans = [tuple(sentence[j : j + n]) for n in range(1, 5) for j in range(len(sentence) - n + 1)]
        assert candidates_found == {0, 1, 2, 3}.union(*(table.get(span, ()) for span in spans))
