"""How graphs are thinned, layered and laid out for the drawings."""

from itertools import pairwise

import pytest

from docs.make.flow import Stage, arrows, paths
from docs.make.graph import Graph, by_depth, reduced
from docs.make.place import GAP, place


def test_arrows_that_a_longer_way_says_are_dropped() -> None:
    assert reduced({("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}) == {("a", "b"), ("b", "c"), ("a", "d")}
    assert reduced({("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")}) == {("a", "b"), ("b", "c"), ("c", "d")}


def test_names_stand_as_far_up_as_arrows_allow() -> None:
    assert by_depth(["d", "c", "b", "a"], {("a", "b"), ("b", "c"), ("a", "c")}) == [["d", "a"], ["b"], ["c"]]


@pytest.mark.parametrize("find", [reduced, lambda arrows: by_depth(["a", "b"], arrows)])
def test_a_circle_is_refused(find) -> None:
    with pytest.raises(ValueError, match="circle"):
        find({("a", "b"), ("b", "a")})


def test_an_arrow_that_points_up_is_refused() -> None:
    with pytest.raises(ValueError, match="a -> b does not point down"):
        place(Graph([["b"], ["a"]], {("a", "b")}), {"a": 10, "b": 10})


def test_boxes_do_not_touch_and_stand_above_what_they_point_to() -> None:
    widths = {"a": 40, "b": 80, "c": 20, "d": 60, "e": 30}
    graph = Graph([["a", "b"], ["c", "d"], ["e"]], {("a", "d"), ("b", "c"), ("d", "e"), ("c", "e")})
    placed = place(graph, widths)
    for layer in graph.layers:
        row = sorted(layer, key=placed.x.__getitem__)
        for left, right in pairwise(row):
            assert placed.x[right] - placed.x[left] >= (widths[left] + widths[right]) / 2 + GAP - 1e-9
    assert (placed.x["a"] - placed.x["b"]) * (placed.x["d"] - placed.x["c"]) > 0  # no arrows cross


def test_a_long_arrow_passes_beside_the_boxes_between() -> None:
    graph = Graph([["a"], ["b"], ["c"]], {("a", "b"), ("b", "c"), ("a", "c")})
    placed = place(graph, {"a": 40, "b": 100, "c": 40})
    (middle,) = placed.ways["a", "c"][1:-1]
    assert abs(middle - placed.x["b"]) >= 50


def test_data_flows_where_paths_touch() -> None:
    items = {"item.variant": "${systems}", "item.seed": "${seeds}"}
    models = "work/${corpus}/models/${item.variant}/${item.seed}"
    stages = {
        "train": Stage("train", [], paths([models], items)),
        "reverse": Stage("train", [], paths([f"{models}-reverse"], items)),
        "tune": Stage("train", [], paths([models], items | {"item.variant": "${fine_tuned}"})),
        "evaluate": Stage(
            "evaluate", paths([f"{models}/model.pt", "stages"], items), paths([{"out": {"cache": 0}}], {})
        ),
        "report": Stage("report", paths(["work/${corpus}/models", "out/one"], {}), []),
    }
    to_report = {(name, "report") for name in ("train", "reverse", "tune", "evaluate")}
    assert arrows(stages) == {("train", "evaluate"), *to_report}
