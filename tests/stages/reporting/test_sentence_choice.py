"""Which sentences are shown as heat maps."""

import pytest

from stages.files.errors import InputError
from stages.measures.gold_links import Gold, parse
from stages.reporting.chosen_sentences import choices, crossings, swaps
from stages.settings.report import ReportSettings

STRAIGHT, CROSSED, FERTILE = parse("0-0 1-1"), parse("0-1 1-0"), parse("0-0 0-1 1-2")


@pytest.mark.parametrize(
    ("lengths", "golds", "sentence", "chosen"),
    [
        ([5, 5, 5], [STRAIGHT, CROSSED, FERTILE], None, {"reordering": 1, "fertility": 2}),
        ([5, 5, 5], [CROSSED, STRAIGHT, STRAIGHT], None, {"reordering": 0, "fertility": 1}),
        ([9, 5, 5], [CROSSED, STRAIGHT, STRAIGHT], None, {"reordering": 1, "fertility": 2}),
        ([5], [CROSSED], None, {"reordering": 0}),
        ([4, 6, 5, 6], None, None, {"longest": 1}),
        ([9, 5], [CROSSED, STRAIGHT], 2, {"named": 1}),
    ],
)
def test_sentences_are_chosen_by_rule(
    lengths: list[int], golds: list[Gold] | None, sentence: int | None, chosen: dict[str, int]
) -> None:
    settings = ReportSettings(sentence=sentence, shortest=4, longest=6)
    assert choices(lengths, golds, settings, None) == chosen


@pytest.mark.parametrize(
    ("lengths", "golds", "tags", "chosen"),
    [
        ([6, 5, 5, 4], "1-2 2-1", "DT JJ NN", 3),
        ([6, 5, 5, 3], "1-2 2-1", "DT JJ NN", 1),
        ([9, 3, 8, 3], "1-2 2-1", "DT JJ NN", 1),
        ([9, 8, 8, 9], "1-2 2-1", "DT JJ NN", 1),
        ([5, 5, 5, 5], "1-1 2-2", "DT JJ NN", None),
        ([5, 5, 5, 5], "1-2 2-1", "DT NN JJ", None),
    ],
)
def test_the_shortest_of_the_range_shows_an_adjective_and_a_noun_that_change_places(
    lengths: list[int], golds: str, tags: str, chosen: int | None
) -> None:
    """The range is of 4 to 6 words; all sentences are alike."""
    settings = ReportSettings(sentence=None, shortest=4, longest=6)
    found = choices(lengths, [parse(golds)] * 4, settings, [tags.split()] * 4)
    assert found.get("swap") == chosen


def test_without_classes_gold_links_or_choice_nothing_is_shown_for_a_swap() -> None:
    settings, tags = ReportSettings(sentence=None, shortest=4, longest=6), [["JJ", "NN"]]
    assert choices([5], [CROSSED], settings, tags) == {"reordering": 0, "swap": 0}
    assert "swap" not in choices([5], [CROSSED], settings, None)
    assert "swap" not in choices([5], None, settings, tags)
    assert choices([5], [CROSSED], settings.model_copy(update={"sentence": 1}), tags) == {"named": 0}


@pytest.mark.parametrize(
    ("links", "tags", "found"),
    [
        ("0-0 1-2 2-1", "DT JJ NN", True),
        ("0-0 1-3 2-1", "DT JJ NN", True),
        ("0-0 1?2 2-1", "DT JJ NN", False),
        ("0-0 1-2 2-1", "DT JJ NR", False),
        ("0-0 1-2 2-1", "DT NN NN", False),
        ("0-0 1-2 1-3 2-1", "DT JJ NN", False),
        ("0-0 1-2 3-1", "DT JJ NN NN", False),
        ("0-2 1-1", "JJ NN", True),
        ("0-2 1-1 2-0", "JJ NN V", False),
        ("0-1 1-0 2-3 3-2", "JJ NN JJ NN", False),
    ],
)
def test_a_swap_is_the_only_crossing_of_sure_links(links: str, tags: str, found: bool) -> None:
    assert swaps(parse(links).sure, tags.split()) == found


@pytest.mark.parametrize(
    ("links", "count"),
    [
        ("", 0),
        ("0-0 1-1 2-2", 0),
        ("0-1 1-0", 1),
        ("0-2 1-1 2-0", 3),
        ("0-0 0-1 1-0 1-1", 0),
        ("0-0 0-1 1-0 1-1 2-3 3-2", 1),
    ],
)
def test_crossings(links: str, count: int) -> None:
    assert crossings(parse(links).sure) == count


@pytest.mark.parametrize(("lengths", "sentence"), [([5, 5], 3), ([], None)])
def test_sentence_that_does_not_exist_is_refused(lengths: list[int], sentence: int | None) -> None:
    with pytest.raises(InputError):
        choices(lengths, None, ReportSettings(sentence=sentence, shortest=4, longest=6), None)


def test_settings_with_the_range_reversed_are_refused() -> None:
    with pytest.raises(ValueError, match="shortest"):
        ReportSettings(sentence=None, shortest=9, longest=6)
