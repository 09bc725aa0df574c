"""Which sentences are shown as heat maps."""

import pytest

from stages.files.errors import InputError
from stages.measures.gold_links import Gold, parse
from stages.reporting.chosen_sentences import choices, crossings
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
    assert choices(lengths, golds, settings) == chosen


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
        choices(lengths, None, ReportSettings(sentence=sentence, shortest=4, longest=6))


def test_settings_with_the_range_reversed_are_refused() -> None:
    with pytest.raises(ValueError, match="shortest"):
        ReportSettings(sentence=None, shortest=9, longest=6)
