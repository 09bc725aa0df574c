"""From runs to systems: means, deviations, recipes, curves."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.reporting import recipe
from stages.reporting.metrics import leaves
from stages.reporting.metrics_document import metrics_document, results_frame
from stages.reporting.recipe import DIFFERS, shared_recipe
from stages.reporting.results import SeedResults, SystemResults, curves_frame
from stages.reporting.study_results import _references
from stages.reporting.tables.main_table import main_table
from stages.reporting.tables.markdown import markdown
from stages.scoring.inputs import Text
from tests.helpers.report_study import STATISTICAL, metrics, run_of


def test_one_seed_has_no_deviation() -> None:
    document = metrics_document([SystemResults("a", "A", (run_of(1, 20.0),))], STATISTICAL, {})
    assert {value for _, value in leaves(document["systems"]["a"]["sd"])} == {None}
    frame = results_frame(document)
    assert "±" not in markdown(main_table(frame, {}, "test", ()))


def test_runs_with_different_measures_are_refused() -> None:
    odd = run_of(2, 20.0)
    del odd.metrics["rot"]
    with pytest.raises(InputError, match=r"a-2.*rot"):
        metrics_document([SystemResults("a", "A", (run_of(1, 20.0), odd))], {}, {})


def test_recipes_that_differ_are_named() -> None:
    runs = [
        SeedResults(seed, metrics(1, 1, 0), {"same": 1, "gpu": gpu}, None, 1, None)
        for seed, gpu in ((1, "x"), (2, None))
    ]
    shared = shared_recipe([SystemResults("a", "A", tuple(runs))])
    assert shared == {"same": 1, "aer_floor": 7.12, DIFFERS: {"gpu": {"a-1": "x", "a-2": None}}}
    assert "gpu: a-1: x; all others: not said" in recipe.footnotes(shared)


def test_curves_are_one_long_table() -> None:
    systems = [
        SystemResults("b", "B", (run_of(1, 20.0), run_of(2, 22.0, epochs=2))),
        SystemResults("a", "A", (run_of(1, 5.0),)),
    ]
    curves = curves_frame(systems, [])
    assert list(curves.columns[:4]) == ["variant", "seed", "epoch", "updates"]
    assert list(zip(curves["variant"], curves["seed"], strict=True)) == [("b", 1)] * 3 + [("b", 2)] * 2 + [("a", 1)] * 3


def test_how_many_references_are_said_where_sets_differ(tmp_path: Path) -> None:
    for name in ("talk.ref0.en", "talk.ref1.en", "news.ref0.en", "news.ref0.zh", "news.en"):
        (tmp_path / name).touch()
    text = Text(tmp_path, "forward", "zh", "en", ("talk", "news"), gold=False)
    assert _references(text) == {"references": {"talk": 2, "news": 1}}
    assert _references(text._replace(tests=("news",))) == {}
