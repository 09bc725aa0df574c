"""Lexical tables from counts of links."""

from stages.alignment import lexicon


def test_lexicon_by_hand() -> None:
    sentences = [
        (["das", "haus"], ["the", "house"], [(0, 0), (1, 1)]),
        (["das", "ist", "das"], ["this", "is", "the"], [(0, 0), (1, 1), (2, 2), (2, 0)]),
        (["ist"], ["that"], []),
    ]
    counts = lexicon.count_links(sentences)
    assert list(lexicon.lines(lexicon.entries(counts))) == [
        "das\tthe\t0.500000\t2",
        "das\tthis\t0.500000\t2",
        "haus\thouse\t1.000000\t1",
        "ist\tis\t1.000000\t1",
    ]
    assert [tuple(entry) for entry in lexicon.entries(lexicon.inverted(counts))] == [
        ("house", "haus", 1.0, 1),
        ("is", "ist", 1.0, 1),
        ("the", "das", 1.0, 2),
        ("this", "das", 1.0, 2),
    ]


def test_the_more_frequent_translation_comes_first() -> None:
    found = lexicon.entries({("a", "x"): 1, ("a", "z"): 3, ("a", "y"): 1})
    assert [(entry.translation, entry.probability) for entry in found] == [("z", 0.6), ("x", 0.2), ("y", 0.2)]
