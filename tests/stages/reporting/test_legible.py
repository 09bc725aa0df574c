"""Figures of any text are drawn in bounded memory, and say what they leave out."""

from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from stages.measures.gold_links import parse
from stages.reporting.chosen_sentences import Shown
from stages.reporting.figures.completion import completion
from stages.reporting.figures.families import HISTORY
from stages.reporting.figures.layout import blank
from stages.reporting.heat_map import LARGE, HeatMap, heat_maps
from stages.reporting.legible import (
    COARSEST_DPI,
    LETTERS,
    PANELS,
    PIXELS,
    bounded_dpi,
    label_of,
    left_out,
    words_a_side,
)
from stages.reporting.style import PRINT_DPI, rc, save_png


def long_map(source: int, target: int) -> HeatMap:
    words = [tuple(f"w{k}" for k in range(count)) for count in (source, target)]
    return HeatMap("t", *words, np.full((target, source), 0.5), parse(f"0-0 {source - 1}-{target - 1}"))


@pytest.mark.parametrize("panels", [1, 4, 52])
def test_as_many_words_are_drawn_as_can_be_read_in_bounded_pixels(panels: int) -> None:
    side = words_a_side(panels, LARGE.cell) * LARGE.cell * COARSEST_DPI
    assert 0.7 * PIXELS < panels * side**2 <= PIXELS


@pytest.mark.slow
def test_a_long_sentence_is_drawn_up_to_what_can_be_read() -> None:
    shown = words_a_side(2, LARGE.cell)
    with matplotlib.rc_context(rc()):
        figure = heat_maps([long_map(1300, 5)] * 2, "caption", columns=2)
    assert figure.axes[0].images[0].get_array().shape == (5, shown)
    assert f"caption · the first {shown} of 1,300 source and up to 5 target words" in {
        t.get_text() for t in figure.texts
    }
    assert len(figure.axes[0].patches) == 1


def test_a_sentence_that_fits_is_drawn_whole_and_nothing_is_said() -> None:
    with matplotlib.rc_context(rc()):
        figure = heat_maps([long_map(20, 30)], "caption", columns=1)
    assert figure.axes[0].images[0].get_array().shape == (30, 20)
    assert "caption" in {text.get_text() for text in figure.texts}


def test_a_file_has_no_more_pixels_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.reporting.legible.PIXELS", 10_000)
    with matplotlib.rc_context(rc()):
        save_png(blank(4, 1), tmp_path / "x", PRINT_DPI)
    width, height = Image.open(tmp_path / "x.png").size
    assert 5_000 < width * height < 14_000  # with the padding around it


def test_dots_per_inch_are_lowered_only_where_they_must() -> None:
    assert bounded_dpi((5, 5), 200) == 200
    assert bounded_dpi((1000, 1000), 200) == pytest.approx((PIXELS / 10**6) ** 0.5)


def test_a_word_without_end_has_a_label_with_one() -> None:
    assert label_of("x" * 5000) == "x" * (LETTERS - 1) + "…"
    assert label_of("x" * LETTERS) == "x" * LETTERS


def test_what_is_left_out_is_said_only_where_something_is() -> None:
    assert left_out(3, "abc", ["abc", "ab"]) == ""
    assert left_out(2, "abc", ["a"]) == " · the first 2 of 3 source and up to 1 target words"


def test_completion_has_a_bounded_number_of_panels() -> None:
    shown = Shown({"ba_nmt": long_map(1300, 7)}, "caption")
    with matplotlib.rc_context(rc()):
        figure = completion(shown, {"ba_nmt": HISTORY}, "rnnsearch_star")
    assert len(figure.axes) == PANELS
    assert any("1,300 source" in text.get_text() for text in figure.texts)
