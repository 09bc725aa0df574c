"""What the drawings say of the stages and of the imports."""

import re

from docs.make import drawing
from docs.make.drawing import reduced, rows_of
from docs.make.flow import Stage, arrows, paths, stages
from docs.make.imports import PLUGINS, layers


def test_arrows_that_a_longer_way_says_are_dropped() -> None:
    assert reduced({("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}) == {("a", "b"), ("b", "c"), ("a", "d")}
    assert reduced({("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")}) == {("a", "b"), ("b", "c"), ("c", "d")}


def test_every_arrow_stands_once_and_every_name_without_one() -> None:
    rows = rows_of(["c", "b", "a", "e"], {("a", "b"), ("b", "c"), ("a", "c")})
    assert list(rows) == [["e"], ["a", "b", "c"], ["a", "c"]]


def test_every_name_stands_in_its_drawing() -> None:
    drawn = {
        drawing.flow: {*stages()},
        drawing.packages: {PLUGINS, *(name for layer in layers("stages") for name in layer)},
        drawing.plugins: {name for layer in layers(PLUGINS) for name in layer},
    }
    for draw, names in drawn.items():
        fence, kind, *rows, end = draw().splitlines()
        assert (fence, kind, end) == ("```mermaid", "flowchart TB", "```")
        assert set(re.findall(r"\w+", " ".join(rows).replace("<br>", " "))) == names


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
