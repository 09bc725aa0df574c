"""Phrase pairs extracted from links, and the words of the best ones."""

import pytest

from stages.alignment.phrases import best_words, count_phrases, phrase_pairs

SPANISH = ["Maria", "no", "daba", "una", "bofetada", "a", "la", "bruja", "verde"]
ENGLISH = ["Mary", "did", "not", "slap", "the", "green", "witch"]
LINKS = [(0, 0), (1, 1), (1, 2), (2, 3), (3, 3), (4, 3), (5, 4), (6, 4), (7, 6), (8, 5)]
PHRASES = """
Maria | Mary
no | did not
daba una bofetada | slap
a la | the
bruja | witch
verde | green
Maria no | Mary did not
no daba una bofetada | did not slap
daba una bofetada a la | slap the
bruja verde | green witch
Maria no daba una bofetada | Mary did not slap
no daba una bofetada a la | did not slap the
a la bruja verde | the green witch
Maria no daba una bofetada a la | Mary did not slap the
daba una bofetada a la bruja verde | slap the green witch
no daba una bofetada a la bruja verde | did not slap the green witch
Maria no daba una bofetada a la bruja verde | Mary did not slap the green witch
"""  # Koehn's example, all of it


def spelled(source: list[str], target: list[str], pairs) -> list[tuple[str, str]]:
    return sorted((" ".join(source[p.j : p.j_end]), " ".join(target[p.i : p.i_end])) for p in pairs)


@pytest.mark.parametrize("longest", [9, 4, 1])
def test_phrases_of_koehns_example(longest):
    lines = [tuple(line.split(" | ")) for line in PHRASES.strip().splitlines()]
    expected = sorted(pair for pair in lines if len(pair[0].split()) <= longest)
    assert spelled(SPANISH, ENGLISH, phrase_pairs(LINKS, 9, 7, longest, 7)) == expected


@pytest.mark.parametrize(
    ("links", "S", "T", "longest_target", "expected"),
    [
        ([], 2, 2, 7, []),
        ([(0, 0)], 1, 1, 7, ["x0 | y0"]),
        # unlinked words at the borders, on either side
        ([(0, 1)], 1, 3, 7, ["x0 | y0 y1", "x0 | y0 y1 y2", "x0 | y1", "x0 | y1 y2"]),
        ([(0, 1)], 1, 3, 2, ["x0 | y0 y1", "x0 | y1", "x0 | y1 y2"]),
        ([(1, 0)], 3, 1, 7, ["x0 x1 | y0", "x0 x1 x2 | y0", "x1 | y0", "x1 x2 | y0"]),
        # an unlinked word inside belongs to the phrase
        ([(0, 0), (0, 2)], 1, 3, 7, ["x0 | y0 y1 y2"]),
        # a link that leaves the span
        ([(0, 0), (1, 0)], 2, 1, 7, ["x0 x1 | y0"]),
        ([(0, 0), (0, 2), (1, 1)], 2, 3, 7, ["x0 x1 | y0 y1 y2", "x1 | y1"]),
        ([(0, 0), (0, 2), (1, 1)], 2, 3, 2, ["x1 | y1"]),
        ([(0, 1), (1, 0)], 2, 2, 7, ["x0 | y1", "x0 x1 | y0 y1", "x1 | y0"]),
    ],
)
def test_phrases_by_hand(links, S, T, longest_target, expected):
    source, target = [f"x{j}" for j in range(S)], [f"y{i}" for i in range(T)]
    found = spelled(source, target, phrase_pairs(links, S, T, 4, longest_target))
    assert found == sorted(tuple(line.split(" | ")) for line in expected)


@pytest.mark.parametrize("link", [(2, 0), (0, 3), (-1, 0)])
def test_a_link_outside_the_sentence(link):
    with pytest.raises(ValueError, match=r"link -?\d-\d lies outside its sentence of 2 source and 3 target tokens"):
        list(phrase_pairs([link], 2, 3, 4, 7))


def test_words_of_the_best_phrases():
    same = [(0, 0), (1, 1)]
    sentences = [
        (["a", "b"], ["the", "cat"], same), (["a", "b"], ["the", "dog"], same), (["a", "c"], ["one", "dog"], same),
        (["a", "b"], ["the", "dog"], same),
    ]  # fmt: skip
    counts = count_phrases(sentences, 4, 7)
    assert counts["a",] == {("the",): 3, ("one",): 1}
    assert counts["a", "b"] == {("the", "cat"): 1, ("the", "dog"): 2}
    assert best_words(counts["a", "b"], 10) == ["the", "dog", "cat"]
    assert best_words(counts["a", "b"], 2) == ["the", "dog"]
    assert best_words({("x", "a"): 1, ("z",): 1, ("y",): 1}, 10) == ["y", "z", "x", "a"]  # shorter, then by letters
