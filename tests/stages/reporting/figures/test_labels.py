"""Labels that can be read: none on another, all near what they name."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from stages.reporting.figures.all_figures import CLAIMS, OF_STUDY
from stages.reporting.figures.labels import FREE, place, spread
from stages.reporting.figures.layout import short_titles
from stages.reporting.study_results import StudyResults
from tests.helpers.figure_study import drawn, overlaps

ASKED_FOR = ("read_outs", f"{CLAIMS}_beyond")
"""Figures of studies that ask for read-outs, or have the systems of our own claims."""
LARGE = [name for name in OF_STUDY if name not in (CLAIMS, *ASKED_FOR)]
SMALL = [name for name in OF_STUDY if not name.startswith((f"{CLAIMS}_", *ASKED_FOR))]
"""Claims have a figure of each paper where they are many."""


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_no_label_lies_on_another_with_all_systems(name: str, of_large: dict[str, Figure]) -> None:
    assert overlaps(of_large[name], tolerance=1.0) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_label_lies_on_another_with_few_systems(name: str, small: StudyResults) -> None:
    assert overlaps(drawn(small, name), tolerance=1.0) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_labels_stay_near_the_page(name: str, of_large: dict[str, Figure]) -> None:
    """Figures are cut to what they hold: a label far outside would make the rest small."""
    figure = of_large[name]
    box = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert box.width <= width + 0.4 and box.height <= height + 0.4
    assert width <= 9.5


def luminance(color: str) -> float:
    return float(np.dot(to_rgb(color), (0.2126, 0.7152, 0.0722)))


@pytest.mark.slow
def test_significance_is_seen_without_colour(of_large: dict[str, Figure]) -> None:
    axis = of_large["effects"].axes[0]
    faces = {luminance(line.get_markerfacecolor()) for line in axis.get_lines() if line.get_marker() == "o"}
    assert max(faces) == 1.0 and min(faces) < 0.2


@pytest.mark.parametrize(
    ("wanted", "placed"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([5.0, 5.0], [4.5, 5.5]),
        ([2.0, 1.0, 9.0], [2.0, 1.0, 9.0]),
        ([5.0, 5.2, 5.1], [4.1, 6.1, 5.1]),
        ([0.0, 0.0], [0.0, 1.0]),
        ([10.0, 10.0], [9.0, 10.0]),
    ],
)
def test_labels_are_pushed_apart_no_further_than_needed(wanted: list[float], placed: list[float]) -> None:
    np.testing.assert_allclose(spread(wanted, 1.0, 0.0, 10.0), placed, atol=1e-12)


def test_labels_keep_their_distance_and_order() -> None:
    wanted = np.random.default_rng(3).uniform(0, 50, 30)
    found = np.array(spread(list(wanted), 1.5, 0.0, 60.0))
    order = np.argsort(wanted)
    assert (np.diff(found[order]) >= 1.5 - 1e-9).all() and found.min() >= 0 and found.max() <= 60


def test_placed_labels_overlap_neither_each_other_nor_the_edge() -> None:
    anchors = np.random.default_rng(1).normal((250, 200), 60, (40, 2))
    sizes = np.tile([55.0, 8.0], (40, 1))
    bounds = np.array([(0, 0), (500, 400)])
    corners = place(anchors, sizes, np.zeros((0, 2)), bounds, 3.0)
    for a, b in combinations(range(40), 2):
        assert not (np.abs(corners[a] - corners[b]) < sizes[0]).all()
    assert (corners >= 0).all() and (corners + sizes <= bounds[1]).all()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize(("labels", "apart"), [(40, 60), (26, 40), (12, 10)])
def test_a_label_without_a_leader_stands_beside_no_other_marker(seed: int, labels: int, apart: float) -> None:
    """Where points are near too: a label that has no room beside its own gets a leader."""
    anchors = np.random.default_rng(seed).normal((250, 200), apart, (labels, 2))
    sizes, clearance = np.tile([55.0, 8.0], (labels, 1)), 3.0
    corners = place(anchors, sizes, np.zeros((0, 2)), np.array([(0, 0), (500, 400)]), clearance)
    for k, (corner, size) in enumerate(zip(corners, sizes, strict=True)):
        away = np.linalg.norm(anchors - np.clip(anchors, corner, corner + size), axis=1)
        assert away[k] - clearance > FREE or away[k] < np.delete(away, k).min()


def test_titles_lose_the_paper_unless_two_would_be_the_same() -> None:
    titles = {"a": "GAtt (Zhang 2017)", "b": "Mine (with)", "c": "Mine (without)"}
    assert short_titles(titles) == {"a": "GAtt", "b": "Mine (with)", "c": "Mine (without)"}
