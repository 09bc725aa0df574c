"""The order of `make repro`: which stages are one cell, what waits for what, and what comes first."""

import contextlib
import heapq
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from stages.files.errors import InputError
from stages.pipeline import repro
from stages.pipeline.jobs import Cell, first_cells, last_seconds, later_cells, longest_first
from stages.settings.schema import Params, load
from stages.settings.systems import base_of
from tests.helpers.paths import ROOT


@pytest.fixture(scope="module")
def committed() -> Params:
    with contextlib.chdir(ROOT):
        return load().model_copy(update={"seeds": [1, 5]})


def test_every_row_and_seed_has_its_stages_once(committed):
    cells = [*first_cells(committed), *later_cells(committed)]
    made = Counter(stage for cell in cells for stage in cell)
    starts = [(start, row) for start, rows in committed.starts.items() for row in rows]
    expected = {f"{stage}@{row}" for stage in ("train", "evaluate", "score") for row in committed.variants}
    expected |= {f"train_opposite@{row}" for row in committed.opposite}
    expected |= {f"continue_{start}@{row}" for start, row in starts}
    expected |= {f"{stage}_continued@{row}" for stage in ("evaluate", "score") for row in committed.continued}
    assert made == dict.fromkeys((f"{stage}-{seed}" for stage in expected for seed in (1, 5)), 1)
    assert {row for _, row in starts} == set(committed.continued)


def test_a_row_is_trained_then_evaluated_then_scored(committed):
    cells = [*first_cells(committed), *later_cells(committed)]
    kinds = Counter(tuple(stage.partition("@")[0] for stage in cell) for cell in cells)
    later = {(f"continue_{start}", "evaluate_continued", "score_continued") for start in committed.starts}
    assert set(kinds) == {("train", "evaluate", "score"), ("train_opposite",), *later}
    assert all(len({stage.partition("@")[2] for stage in cell}) == 1 for cell in cells)


def test_rows_that_continue_wait_for_their_bases_which_come_first(committed):
    first, waits = first_cells(committed), later_cells(committed)
    before = {stage for cell in first for stage in cell}
    for cell, bases in waits.items():
        start, _, row = cell[0].removeprefix("continue_").partition("@")
        base, both_ways = base_of(start)
        seed = row.rpartition("-")[2]
        assert bases == {f"train@{base}-{seed}"} | ({f"train_opposite@{base}-{seed}"} if both_ways else set()) <= before
    trained = [cell[0] for cell in first if cell[0].startswith("train@") and cell[0].endswith("-1")]
    wanted = {f"train@{base_of(start)[0]}-1" for start in committed.starts}
    assert set(trained[: len(wanted)]) == wanted


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_a_cell_waits_for_what_it_starts_from_and_the_others_do_not(monkeypatch, jobs):
    began, ended = [], []

    def run(cell):
        began.append((cell[0], list(ended)))
        time.sleep(0.05 if cell[0] == "base" else 0)
        ended.append(cell[0])
        return cell[0] != "bad"

    monkeypatch.setattr(repro, "_run", run)
    cells = [("base", "of it"), ("bad",), ("free",), ("after base",), ("after bad",), ("after absent",)]
    waits = {("after base",): {"base"}, ("after bad",): {"bad", "base"}, ("after absent",): {"cached"}}
    with pytest.raises(InputError, match=r"^bad, after bad failed or could not start"):
        repro._in_parallel(cells, waits, jobs)
    assert sorted(ended) == ["after absent", "after base", "bad", "base", "free"]
    assert "base" in dict(began)["after base"]
    if jobs > 1:
        assert "base" not in dict(began)["free"]


# The longest first

SECONDS = {"short": 1.0, "base": 2.0, "middle": 4.0, "long": 5.0, "after": 4.5}
CELLS = [(f"train@{row}-1", f"score@{row}-1") for row in ("short", "middle", "base", "long", "after")]
WAITS = {CELLS[-1]: {"train@base-1"}}


def rows_of(cells: list[Cell]) -> list[str]:
    return [cell[0].partition("@")[2].rpartition("-")[0] for cell in cells]


def test_the_longest_comes_first_and_a_base_counts_what_waits_for_it():
    assert rows_of(longest_first(CELLS, WAITS, SECONDS)) == ["base", "long", "after", "middle", "short"]
    assert rows_of(longest_first(CELLS[:-1], WAITS, SECONDS)) == ["long", "middle", "base", "short"]


@pytest.mark.parametrize(
    ("row", "first"), [("short", ["short", "base"]), ("after", ["base", "after"]), ("base", ["base", "long"])]
)
def test_nobody_knows_how_long_a_new_row_takes_so_it_comes_first(row, first):
    known = {name: seconds for name, seconds in SECONDS.items() if name != row}
    assert rows_of(longest_first(CELLS, WAITS, known))[:2] == first


def test_without_a_report_the_order_stays(tmp_path):
    assert longest_first(CELLS, WAITS, last_seconds(tmp_path / "metrics.json")) == CELLS


@pytest.mark.parametrize("known", ["every row", "no row", "the bases", "what continues"])
def test_in_every_order_a_base_comes_before_what_waits_for_it(committed, known):
    rows = {"every row": committed.variants | committed.continued, "no row": {}}
    rows |= {"the bases": committed.variants, "what continues": committed.continued}
    waits = later_cells(committed)
    cells = [*first_cells(committed), *waits]
    ordered = longest_first(cells, waits, dict.fromkeys(rows[known], 0.0))
    assert sorted(ordered) == sorted(cells)
    place = {stage: number for number, cell in enumerate(ordered) for stage in cell}
    assert all(place[base] < place[cell[0]] for cell, bases in waits.items() for base in bases)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"a": {"mean": {"wall_seconds": 2.5, "bleu": 1.0}}, "b": {"mean": {"wall_seconds": None}}}, {"a": 2.5}),
        ({"a": {"mean": {"bleu": 1.0}}}, {}),
        ([], {}),
    ],
    ids=["a row without a figure", "a report of another form", "no systems"],
)
def test_the_figures_are_those_of_the_last_report(tmp_path, content, expected):
    path = tmp_path / "metrics.json"
    path.write_text(json.dumps({"systems": content}), encoding="utf-8")
    assert last_seconds(path) == expected
    path.write_text("<<<<<<< HEAD", encoding="utf-8")
    assert last_seconds(path) == {}


class Ended(NamedTuple):
    """A future of the simulation: to ask for its result is to wait for its end."""

    simulation: "Simulation"
    end: float
    well: bool

    def result(self) -> bool:
        self.simulation.now = max(self.simulation.now, self.end)
        return self.well


class Simulation:
    """The threads of `_in_parallel` and its `_run`, with a clock that is put forward instead of waited for.

    A cell is worked through as it is handed over, from when the first of the threads is free: what it waits for has
    been handed over before it, so its end is known.
    """

    def __init__(self, seconds: dict[Cell, float], waits: dict[Cell, set[str]], jobs: int):
        self.seconds, self.waits, self.now = seconds, waits, 0.0
        self.free = [0.0] * jobs
        self.ends: dict[str, float] = {}

    def submit(self, run_in_turn: Callable[[Cell], bool], cell: Cell) -> Ended:
        self.now = heapq.heappop(self.free)
        well = run_in_turn(cell)
        heapq.heappush(self.free, self.now)
        return Ended(self, self.now, well)

    def run(self, cell: Cell) -> bool:
        assert all(self.ends[base] <= self.now for base in self.waits.get(cell, ()))
        self.now += self.seconds[cell]
        self.ends |= dict.fromkeys(cell, self.now)
        return True


def makespan(monkeypatch, cells: list[Cell], simulation: Simulation) -> float:
    """Seconds from the beginning of the first cell to the end of the last."""
    monkeypatch.setattr(repro, "ThreadPoolExecutor", lambda jobs: contextlib.nullcontext(simulation))
    monkeypatch.setattr(repro, "_run", simulation.run)
    repro._in_parallel(cells, simulation.waits, len(simulation.free))
    return max(simulation.free)


def test_the_clock_of_the_simulation(monkeypatch):
    """Two threads: short 0–1, middle 0–4, base 1–3, long 3–8; the last has a thread at 4, and its base since 3."""
    seconds = dict(zip(CELLS, map(SECONDS.get, rows_of(CELLS)), strict=True))
    assert makespan(monkeypatch, CELLS, Simulation(seconds, WAITS, 2)) == 8.5
    # With a thread each, the last one is idle until its base has ended at 2.
    assert makespan(monkeypatch, CELLS, Simulation(seconds, WAITS, 5)) == 6.5


@pytest.mark.parametrize("jobs", [2, 4, 8])
def test_the_committed_study_takes_less_time_than_in_the_order_of_params_and_hardly_more_than_it_must(
    monkeypatch, committed, jobs
):
    """With the figures of the committed report, which were measured two systems at a time."""
    once = committed.model_copy(update={"seeds": [1]})
    known = last_seconds(ROOT / "reports" / once.corpus / "metrics.json")
    waits = later_cells(once)
    cells = [cell for cell in [*first_cells(once), *waits] if rows_of([cell])[0] in known]
    seconds = {cell: known[row] for cell, row in zip(cells, rows_of(cells), strict=True)}
    before = makespan(monkeypatch, cells, Simulation(seconds, waits, jobs))
    after = makespan(monkeypatch, longest_first(cells, waits, known), Simulation(seconds, waits, jobs))
    least = max(sum(seconds.values()) / jobs, *seconds.values())
    assert least <= after < before
    assert after < 1.05 * least
