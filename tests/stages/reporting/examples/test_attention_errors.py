"""What a translation repeats, leaves out and keeps."""

import numpy as np
import pytest

from stages.reporting.examples.sentence_scores import attention_errors, content_words, kept_at_end
from stages.translating.translations import Translation


def translation(source: str, linked: str, end: int | None = None) -> Translation:
    """linked: `word-s` for each target word; end: source position that the end looks at, None if cut off."""
    words = [pair.rsplit("-", 1) for pair in linked.split()]
    positions = [int(s) for _, s in words] + ([] if end is None else [end])
    attention = np.full((len(positions), len(source.split()) + 1), 0.01)
    attention[np.arange(len(positions)), positions] = 0.9
    return Translation(source.split(), [word for word, _ in words], attention, [])


@pytest.mark.parametrize(
    ("linked", "references", "found"),
    [
        ("hong-0 kong-0 hong-0 kong-0", ["hong kong"], (2, 3)),
        ("hong-0 kong-0 Hong-0", ["hong kong"], (2,)),
        ("hong-0 kong-0 hong-0", ["hong kong", "kong hong hong"], ()),
        ("hong-0 kong-0 hong-0 hong-0", ["hong kong hong"], (2, 3)),
        ("hong-0 hong-1", ["hong"], ()),
        ("hong-2 hong-2", ["hong"], ()),
        ("", ["hong"], ()),
    ],
)
def test_a_word_is_over_translated_by_one_source_word_beyond_every_reference(linked, references, found) -> None:
    words = [reference.split() for reference in references]
    assert attention_errors(translation("香港 的", linked), words, [True, True], "en").over_translated == found


@pytest.mark.parametrize(
    ("linked", "end", "left_out", "behind_end"),
    [
        ("a-0 c-2", 4, (3,), ()),
        ("a-0 c-2", 1, (3,), (3,)),
        ("a-2", 2, (0, 3), (3,)),
        ("a-2", 0, (0, 3), (3,)),
        ("a-2", 3, (0, 3), ()),
        ("d-3", 0, (0, 2), ()),
        ("a-2", None, (0, 3), ()),
        ("", 0, (0, 2, 3), (2, 3)),
        ("x-4 y-4", 4, (0, 2, 3), ()),
    ],
)
def test_content_words_that_nothing_looks_at_are_left_out(linked, end, left_out, behind_end) -> None:
    seen = attention_errors(translation("A 的 C D", linked, end), [["a"]], [True, False, True, True], "en")
    assert (seen.left_out, seen.behind_end) == (left_out, behind_end)


def test_content_is_known_by_class_or_else_is_all_but_punctuation() -> None:
    words = ["他", "没有", "去", "北京", "2003年", "。", "3.5%"]
    assert content_words(words, ["OTHER", "AD", "V", "NR", "NT", "OTHER", "CD"]) == [0, 0, 1, 1, 1, 0, 1]
    assert content_words(words, None) == [1, 1, 1, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("target", "references", "kept"),
    [
        ("a b c d e f", ["u v w x e f"], 2),
        ("a b c d F e", ["u v w x e f"], 2),
        ("e f c d a b", ["u v w x e f"], 0),
        ("a b c d e f", ["e f w x y z"], 0),
        ("a b c d e e", ["u v w x e f"], 1),
        ("a b c d e f", ["u v w x e e"], 1),
        ("a b c e e", ["u v w x y e e"], 2),
        ("a e", ["u v e"], 1),
        ("", ["u v e"], 0),
        ("a b c d e f", ["u v w x f y", "u v w x e f", "u v w x y z"], 2),
    ],
)
def test_of_the_end_are_kept_the_words_of_both_last_thirds(target: str, references: list[str], kept: int) -> None:
    assert kept_at_end(target.split(), [reference.split() for reference in references], "en") == kept
