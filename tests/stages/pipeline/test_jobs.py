"""Jobs: which stages belong together, and which of them somebody asked for."""

import pytest

from stages.files.errors import InputError
from stages.pipeline.jobs import Job, choose, cut


def jobs(before: dict[str, str]) -> dict[str, list[str]]:
    """name of a job -> its other stages and, after `|`, the names of the jobs that it waits for."""
    found = cut({name: set(waits.split()) for name, waits in before.items()}, {})
    return {job.name: [*job.stages[1:], "|", *sorted(one.name for one in waits)] for job, waits in found.items()}


SYSTEM = {"train@x-1": "corpus", "evaluate@x-1": "train@x-1 corpus", "score@x-1": "train@x-1 evaluate@x-1 tags"}


def test_stages_of_an_item_that_follow_each_other_are_one_job():
    found = jobs({"corpus": "", "tags": "corpus", **SYSTEM, "report": "score@x-1"})
    assert found == {
        "corpus": ["|"],
        "tags": ["|", "corpus"],
        "train@x-1": ["evaluate@x-1", "score@x-1", "|", "corpus", "tags"],
        "report": ["|", "train@x-1"],
    }
    assert next(iter(found)) == "corpus" and list(found)[-1] == "report"


def test_a_job_begins_with_its_own_item_and_waits_for_the_items_it_reads():
    found = jobs({**SYSTEM, "corpus": "", "tags": "", "initialise@y-1": "train@x-1", "tune@y-1": "initialise@y-1"})
    assert found["initialise@y-1"] == ["tune@y-1", "|", "train@x-1"]


@pytest.mark.parametrize(
    ("before", "alone"),
    [
        ({"train@x": "", "reverse@x": "", "score@x": "train@x reverse@x"}, {"train@x", "reverse@x", "score@x"}),
        ({"corpus@x": "", "tags@x": "corpus@x", "bpe@x": "corpus@x"}, {"corpus@x", "tags@x", "bpe@x"}),
        ({"train@x": "", "other": "train@x", "score@x": "train@x other"}, {"train@x", "other", "score@x"}),
        ({"train@x": "", "train@y": ""}, {"train@x", "train@y"}),
        ({"first": "", "second": "first"}, {"first", "second"}),
    ],
    ids=["two come before", "two follow", "another runs in between", "other items", "no item"],
)
def test_what_can_run_side_by_side_or_must_be_parted_is(before, alone):
    assert {name for name, rest in jobs(before).items() if rest[0] == "|"} == alone


def test_only_the_parted_job_is_parted_and_the_rest_of_the_order_stays():
    found = jobs({"a@x": "", "b@x": "a@x", "m": "a@x", "c@x": "b@x m", "a@y": "", "b@y": "a@y"})
    assert found["a@y"] == ["b@y", "|"] and found["c@x"] == ["|", "b@x", "m"]


SHARED, A, B, OF_A = (
    Job(("corpus",)),
    Job(("train@a",), frozenset("a")),
    Job(("train@b",), frozenset("b")),
    Job(("sum",)),
)
TUNED, REPORT = Job(("tune@c",), frozenset("c")), Job(("report",))
BEFORE = {SHARED: set(), A: {SHARED}, B: {SHARED}, OF_A: {A}, TUNED: {A}, REPORT: {A, B, TUNED}}


@pytest.mark.parametrize(
    ("systems", "expected", "left_out"),
    [
        ("a", {SHARED, A, OF_A}, [REPORT]),
        ("c", {SHARED, A, TUNED}, [REPORT]),
        ("b", {SHARED, B}, [REPORT]),
        ("abc", {*BEFORE}, []),
    ],
)
def test_some_systems_with_what_they_need_and_no_sum_that_needs_others(systems, expected, left_out):
    choice = choose(BEFORE, list(systems), list("abc"))
    assert choice.jobs == expected and choice.left_out == left_out


def test_an_unknown_system_is_told_which_there_are():
    with pytest.raises(
        InputError, match=r"^there is no system d, e in this study \(there are: a, b, c\); correct the name, or add it"
    ):
        choose(BEFORE, ["a", "d", "e"], list("abc"))
