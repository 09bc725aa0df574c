"""The order of jobs, tried with a clock that is put forward instead of waited for."""

import contextlib
import heapq
import json
from math import inf

import pytest

from stages.pipeline.durations import UNPACKED, Durations, last_seconds, trained_seconds
from stages.pipeline.graph import Pipeline
from stages.pipeline.jobs import Before, Job
from stages.pipeline.order import Schedule, due_jobs, seconds_left
from tests.helpers import committed
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import repository


def job(name: str) -> Job:
    return Job((name,), frozenset([name]))


def graph(**before: str) -> Before:
    return {job(name): {job(one) for one in waits.split()} for name, waits in before.items()}


def names(jobs) -> list[str]:
    return [one.name for one in jobs]


def test_due_is_what_is_changed_and_what_follows_it():
    before = graph(corpus="", a="corpus", b="corpus", c="a", report="a b c")
    assert names(due_jobs(before, [])) == []
    assert set(names(due_jobs(before, ["a"]))) == {"a", "c", "report"}
    assert due_jobs(before, ["corpus"]) == set(before)


def play(before: Before, seconds: dict[Job, float], slots: int, failing: tuple[str, ...] = (), known=None):
    """Run a schedule to its end, and check that nobody begins too early. known: the seconds that it knows, else all.

    Returns it with the clock's last time and the names of its jobs as they began.
    """
    schedule = Schedule(before, set(before), seconds if known is None else known)
    clock, ends, began = 0.0, [], []
    while True:
        while len(ends) < slots and (one := schedule.begin()) is not None:
            assert before[one] <= set(schedule.done)
            began.append(one)
            heapq.heappush(ends, (clock + seconds.get(one, 1.0), one))
        if not ends:
            return schedule, clock, names(began)
        clock, ended = heapq.heappop(ends)
        schedule.end(ended, ended.name not in failing)


BEFORE = graph(short="", base="", middle="", long="", after="base")
SECONDS = {job(name): s for name, s in {"short": 1.0, "base": 2.0, "middle": 4.0, "long": 5.0, "after": 4.5}.items()}


def test_the_longest_way_to_the_end_comes_first():
    assert play(BEFORE, SECONDS, 1)[2] == ["base", "long", "after", "middle", "short"]
    assert play(BEFORE, SECONDS, 2)[1] == 9.0  # base 0-2, long 0-5, after 2-6.5, middle 5-9, short 6.5-7.5


@pytest.mark.parametrize("unknown", ["short", "after", "base"])
def test_nobody_knows_how_long_a_new_system_takes_so_it_comes_first(unknown):
    first = {"short": "short", "after": "base", "base": "base"}[unknown]
    assert play(BEFORE, SECONDS | {job(unknown): inf}, 1)[2][0] == first


def test_without_figures_the_order_is_that_of_the_graph():
    assert play(BEFORE, {}, 1)[2] == [*names(BEFORE)]


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_a_failure_stops_only_what_depends_on_it(slots):
    before = graph(bad="", good="", after_bad="bad", after_good="good", far="after_bad", report="far after_good")
    schedule, _, began = play(before, {}, slots, failing=("bad",))
    assert sorted(began) == ["after_good", "bad", "good"] and names(schedule.failed) == ["bad"]
    assert {one.name: cause.name for one, cause in schedule.stopped.items()} == dict.fromkeys(
        ["after_bad", "far", "report"], "bad"
    )
    assert schedule.waiting == schedule.running == []


def test_what_is_not_due_is_not_waited_for():
    before = graph(corpus="", a="corpus", b="a")
    schedule = Schedule(before, {job("b")}, {})
    assert schedule.begin() == job("b") and schedule.begin() is None and schedule.waiting == []


def test_the_time_left_is_what_the_rest_takes():
    schedule = Schedule(BEFORE, set(BEFORE), SECONDS)
    assert seconds_left(schedule, SECONDS, {}, 2) == play(BEFORE, SECONDS, 2)[1]
    first, second = schedule.begin(), schedule.begin()
    assert (first.name, second.name) == ("base", "long")
    schedule.end(first, True)
    third = schedule.begin()  # after: 4.5 s, of which 1 s has gone; long: 2 of 5 s are left, then middle 4 s
    assert third.name == "after"
    assert seconds_left(schedule, SECONDS, {second: 3.0, third: 1.0}, 2) == 6.0
    assert seconds_left(schedule, SECONDS, {second: 99.0, third: 99.0}, 2) == 4.0


# What is expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"a": {"mean": {"wall_seconds": 2.5, "bleu": 1.0}}, "b": {"mean": {"wall_seconds": None}}}, {"a": 2.5}),
        ({"a": {"mean": {"bleu": 1.0}}}, {}),
        ([], {}),
    ],
    ids=["a system without a figure", "a report of another form", "no systems"],
)
def test_the_figures_are_those_of_the_last_report(tmp_path, content, expected):
    path = tmp_path / "metrics.json"
    assert last_seconds(path) == {}
    path.write_text(json.dumps({"systems": content}), encoding="utf-8")
    assert last_seconds(path) == expected
    path.write_text("<<<<<<< HEAD", encoding="utf-8")
    assert last_seconds(path) == {}


def test_a_training_took_what_its_record_says(tmp_path):
    (tmp_path / "a").mkdir()
    assert trained_seconds([tmp_path / "a", tmp_path / "absent"]) == 0
    (tmp_path / "a" / "training.json").write_text(json.dumps({"wall_seconds": 3600.5, "updates": 7}))
    assert trained_seconds([tmp_path / "a", tmp_path / "absent"]) == 3600.5
    (tmp_path / "a" / "released.json").touch()
    assert trained_seconds([tmp_path / "a"]) == 0
    (tmp_path / "a" / "released.json").unlink()
    for damaged in ("{", "[]", '{"wall_seconds": null}'):
        (tmp_path / "a" / "training.json").write_text(damaged)
        assert trained_seconds([tmp_path / "a"]) == 0


def test_expected_times_follow_those_that_are_measured():
    a, b, new, shared = job("a"), job("b"), job("new"), Job(("corpus",))
    expected = Durations(["a", "b", "new"], {"a": 10.0, "b": 20.0})
    assert [expected.of(one) for one in (a, b, new, shared)] == [10.0, 20.0, inf, 0.0]
    assert expected.all([a, b, new, shared]) == {a: 10.0, b: 20.0, new: 15.0, shared: 0.0}
    expected.measure(shared, 7.0)
    expected.measure(a, 30.0)
    assert expected.all([b, new, shared]) == {b: 60.0, new: 30.0, shared: 0.0}
    unknown = Durations(["a", "new"], {})
    assert unknown.all([a, new]) is None and unknown.all([shared]) == {shared: 0.0}
    unknown.measure(a, 5.0)
    assert unknown.all([new]) == {new: 5.0}


def test_released_results_take_no_training_s_time():
    released, new, other = job("released"), job("new"), job("other")
    expected = Durations(["released", "new", "other"], {"other": 60.0}, ["released"])
    assert expected.of(released) == inf  # they begin first
    assert expected.all([released, new, other]) == {released: UNPACKED, new: 60.0, other: 60.0}
    expected.measure(released, 1.0)
    assert expected.all([new, other]) == {new: 60.0, other: 60.0}
    reverse = Job(("train_reverse@released", "evaluate_reverse@released"), frozenset(["released"]))
    assert expected.all([reverse, other]) == {reverse: 60.0, other: 60.0}


@pytest.mark.dvc
@pytest.mark.parametrize("slots", [2, 4, 8])
def test_the_committed_study_takes_hardly_more_time_than_it_must(slots, tmp_path):
    """With the figures of the committed report."""
    params = committed.params()
    repository(tmp_path)
    (tmp_path / "dvc.yaml").write_bytes((ROOT / "dvc.yaml").read_bytes())
    (tmp_path / "params.yaml").write_text(committed.choosing("<<: *demo"), encoding="utf-8")
    with contextlib.chdir(tmp_path):
        before = Pipeline().jobs
    expected = Durations([*params["systems"], *params["fine_tuned"]], last_seconds(ROOT / "reports/demo/metrics.json"))
    seconds = {one: 0.0 if expected.of(one) == inf else expected.of(one) for one in before}
    _, clock, _ = play(before, seconds, slots)
    way: dict[Job, float] = {}
    for one, waits in before.items():
        way[one] = seconds[one] + max((way[other] for other in waits), default=0.0)
    least = max(sum(seconds.values()) / slots, *way.values())
    _, in_the_order_of_the_graph, _ = play(before, seconds, slots, known={})
    assert 0 < least <= clock < in_the_order_of_the_graph
    assert clock < 1.05 * least
