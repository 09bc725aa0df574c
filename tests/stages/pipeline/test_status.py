"""The first line of `make status`, what never ran, and the last: what will run, and how long that takes."""

from types import SimpleNamespace

import pytest

from stages.pipeline import status
from stages.pipeline.durations import Durations
from stages.pipeline.graph import Pipeline
from stages.pipeline.jobs import cut
from stages.pipeline.status import never_ran, summary
from tests.stages.pipeline.toy import Toy

SYSTEMS = ("a", "b", "c")
STAGES = {"check@s": set(), "manifest@s": {"check@s"}, "corpus@t": {"manifest@s"}}
for name in SYSTEMS:
    STAGES |= {f"train@s-{name}-1": {"corpus@t"}, f"score@s-{name}-1": {f"train@s-{name}-1"}}
STAGES |= {"report@s": {f"score@s-{name}-1" for name in SYSTEMS}}
LABELS = {f"{stage}@s-{name}-1": {"s", name, "1"} for stage in ("train", "score") for name in SYSTEMS}
SECONDS = {"a": 100.0, "b": 200.0, "c": 300.0}


@pytest.mark.parametrize(
    ("changed", "slots", "line"),
    [
        ([], 1, "Everything is up to date: nothing will run."),
        (["check@s", "report@s"], 1, "`make repro` will run 2 stages"),
        (["train@s-a-1"], 1, "`make repro` will run 1 training, about 2 min, and 2 other stages"),
        (["train@s-a-1", "train@s-b-1"], 1, "`make repro` will run 2 trainings, about 5 min, and 3 other stages"),
        (["train@s-a-1", "train@s-b-1"], 2, "`make repro` will run 2 trainings, about 3 min, and 3 other stages"),
        (["corpus@t"], 2, "`make repro` will run 3 trainings, about 5 min, and 5 other stages"),
        (["score@s-a-1"], 1, "`make repro` will run 2 stages"),
        (
            ["manifest@s"],
            1,
            "`make repro` will run 1 stage; after that those whose code has changed, which `manifest` finds out",
        ),
    ],
)
def test_what_will_run_is_summed_up(changed, slots, line):
    assert summary(cut(STAGES, LABELS), changed, Durations(SYSTEMS, SECONDS), slots, lambda _: []) == line


@pytest.mark.parametrize(
    ("changed", "cached", "line"),
    [
        (["train@s-a-1"], ["train@s-a-1"], "1 training, all of them from the cache, and 2 other stages"),
        (
            ["train@s-a-1", "train@s-b-1"],
            ["train@s-a-1"],
            "2 trainings, 1 of them from the cache, about 3 min, and 3 other stages",
        ),
        (
            ["train@s-a-1", "manifest@s"],  # that makes what the training reads, and as a rule the same again
            ["train@s-a-1"],
            "1 training, all of them from the cache, and 3 other stages; after that those whose code has changed, "
            "which `manifest` finds out",
        ),
        (["corpus@t", "train@s-a-1"], ["train@s-a-1"], "3 trainings, about 10 min, and 5 other stages"),
    ],
)
def test_trainings_that_come_from_the_cache_take_no_time(changed, cached, line):
    def known(stages):
        return [stage for stage in stages if stage in cached]

    found = summary(cut(STAGES, LABELS), changed, Durations(SYSTEMS, SECONDS), 1, known)
    assert found == f"`make repro` will run {line}"


@pytest.mark.dvc
def test_the_cache_has_what_was_made_of_the_same_inputs(tmp_path, monkeypatch):
    toy, trainings = Toy(tmp_path), [f"train@{name}-1" for name in "abc"]
    toy.write(**{"b.sh": "true # first", "c.sh": "true # first"})
    assert toy.run().returncode == 0
    toy.write(**{"b.sh": "true # second"})
    assert toy.run().returncode == 0
    (tmp_path / "a.model").unlink()
    toy.write(**{"b.sh": "true # first", "c.sh": "true # second"})
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline()
    assert pipeline.changed(trainings, print) == trainings
    assert pipeline.cached(trainings, print) == trainings[:2]


def test_of_what_was_never_trained_nobody_knows_the_time():
    line = summary(cut(STAGES, LABELS), ["train@s-a-1"], Durations(SYSTEMS, {}), 1, lambda _: [])
    assert line == "`make repro` will run 1 training, nobody knows yet how long, and 2 other stages"


@pytest.mark.parametrize("idle", [True, False])
def test_beside_a_run_it_answers_and_leaves_the_cache_alone(monkeypatch, capsys, idle):
    back, study = [], SimpleNamespace(trained=[], study="s", corpus="t")
    pipeline = SimpleNamespace(status=lambda _: {}, jobs={}, cached=list)
    monkeypatch.setattr("sys.argv", ["status"])
    monkeypatch.setattr(status, "look_at", lambda *_: idle)
    monkeypatch.setattr(status, "study_systems", lambda: study)
    monkeypatch.setattr(status, "section", lambda *_: SimpleNamespace(threads=1))
    monkeypatch.setattr(status, "Pipeline", lambda: pipeline)
    monkeypatch.setattr(status, "put_back", lambda *_: back.append("put back"))
    status.main()
    assert capsys.readouterr().out == "Everything is up to date: nothing will run.\n"
    assert bool(back) == idle


def test_what_never_ran_takes_a_line():
    assert never_ran(STAGES) == "never run here: check, manifest, corpus, train (3), score (3), report"
