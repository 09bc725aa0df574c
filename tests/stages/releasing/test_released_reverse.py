"""Released results of systems that are trained in both directions."""

import json
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.pipeline import release
from stages.releasing import reverse
from stages.releasing.results_file import REVERSE_FILE, read_results
from stages.reporting.claims.counts import REVERSE, AbsentError, Counts
from stages.reporting.hours import hours
from stages.reporting.results import read_systems
from stages.scoring.inputs import read_text
from tests.helpers.report_study import contents, write
from tests.stages.releasing.conftest import RUN, settings
from tests.stages.releasing.released_results import both_directions, edit, elsewhere, path_of, take, take_all


def test_the_reverse_direction_comes_back_too(project: Path) -> None:
    run, text = RunDirectory(RUN), read_text(Path("work/demo/corpus"), "forward")
    titles, seeds = {"plain": "plain", "star": "star"}, (1, 2)
    systems = read_systems(RUN, text, titles, seeds, ("star",))
    sums = [reverse.sums(run, "star", seed, here=True) for seed in seeds]
    cost = hours(run, systems, ("star",))
    assert systems[1].runs[0].metrics["perplexity_en-zh"] == pytest.approx(9) and cost["trainings"] == 6
    both_directions()
    release.main()
    elsewhere()
    edit("released/star", None)
    take_all()
    again = read_systems(RUN, text, titles, seeds, ())
    for one, other in zip(systems, again, strict=True):
        assert [run.metrics for run in one.runs] == [run.metrics for run in other.runs]
    for seed, before in zip(seeds, sums, strict=True):
        assert (reverse.sums(run, "star", seed, here=False) == before).all()
        assert reverse.sums(run, "plain", seed, here=False) is None
    assert hours(run, again, ()) == cost
    with pytest.raises(AbsentError, match="plain is not trained in the reverse direction"):
        Counts(text, RUN, seeds, ()).trainings("plain", REVERSE, None)
    with pytest.raises(AbsentError, match="1 sentences in the set dev, reverse are too few"):
        Counts(text, RUN, seeds, ()).trainings("star", REVERSE, None)


def test_a_study_of_one_direction_leaves_what_was_released_of_both(project: Path, capsys) -> None:
    both_directions()
    release.main()
    before = contents(Path("reports/released"))
    settings(systems=["plain", "star"], fine_tuned={})
    capsys.readouterr()
    release.main()
    assert contents(Path("reports/released")) == before
    assert capsys.readouterr().out.count("as it was") == 4


def test_the_reverse_direction_is_put_to_results_that_were_released_before(project: Path, monkeypatch, capsys) -> None:
    settings(systems=["plain", "star"], fine_tuned={})
    release.main()
    before = {seed: read_results(path_of("star", seed)) for seed in (1, 2)}
    both_directions()
    settings(systems=["plain"], fine_tuned={}, released={"star": None}, also_reverse=["star"])
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9876543210")
    release.main()
    for seed, (about, files) in before.items():
        about_now, now = read_results(path_of("star", seed))
        record = json.loads(now.pop(REVERSE_FILE))
        assert (about_now, now) == (about, files) and record["commit"] == "fedcba9876543210"
        expected = reverse.sums(RunDirectory(RUN), "star", seed, here=True)
        take("star", seed)
        assert (reverse.sums(RunDirectory(RUN), "star", seed, here=False) == expected).all()
    monkeypatch.setattr(release, "_commit", lambda: "0" * 16)
    capsys.readouterr()
    release.main()
    assert capsys.readouterr().out.count("as it was") == 4


SUMS_OF_NONE = ["[]", "[1, 2]", "[[1, 2], [3]]", '[["a", "b"]]', "null", "[[1, 2, 3]]", "[[NaN, 1]]"]
MACHINES_OF_NONE = ["null", "[]", '{"threads": "2"}', '{"threads": 0}', '{"gpu": 1}']
TRAININGS_OF_NONE = [
    *("null", "{}", '{"wall_seconds": 1}', '{"wall_seconds": "1", "machine": {}}'),
    *(f'{{"wall_seconds": 1, "machine": {machine}}}' for machine in MACHINES_OF_NONE),
]


@pytest.mark.parametrize(
    "damaged",
    [
        *(f'{{"training": {{"wall_seconds": 1, "machine": {{}}}}, "sums": {sums}}}' for sums in SUMS_OF_NONE),
        *(f'{{"training": {training}, "sums": [[-9, 3]]}}' for training in TRAININGS_OF_NONE),
        "[]",
        "{",
    ],
)
def test_what_is_damaged_of_the_reverse_direction_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(RUN / f"models/star/1/{REVERSE_FILE}", damaged)
    for read in (reverse.training, reverse.sums):
        with pytest.raises(InputError, match=r"reverse\.json.*delete it and run"):
            read(RunDirectory(RUN), "star", 1, here=False)
