"""Heat maps, their fonts, and the lines of the figures."""

import warnings
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties, findfont

from stages.measures.gold_links import parse
from stages.reporting import fonts
from stages.reporting.heat_map import HeatMap, heat_maps
from stages.reporting.style import line_of, rc, save


def test_lines_are_told_apart_by_colour_and_by_dashes() -> None:
    lines = [line_of(rank) for rank in range(42)]
    assert len(set(lines)) == 42
    assert all(a.color != b.color and a.dashes != b.dashes for a, b in pairwise(lines))


def test_the_font_holds_the_characters_of_chinese_news() -> None:
    families = fonts.families()
    assert families[0] == fonts.LATIN
    cmap = TTFont(findfont(FontProperties(family=families[1]), fallback_to_default=False)).getBestCmap()
    assert not [
        char for char in "昨天中国代表团在北京与俄罗斯总统讨论了合作计划龘镕喆。,、《》“”%" if ord(char) not in cmap
    ]


def panel(words: str, weights: np.ndarray | None = None, title: str = "RNNsearch*") -> HeatMap:
    source = tuple(words.split())
    weights = np.eye(len(source)) if weights is None else weights
    return HeatMap(title, source, source, weights, parse("0-0 1?0"))


@pytest.mark.parametrize(
    "words", ["中国 代表团 讨论 了 2003 年 计划 。", "サッカー を する", "$ _ $x$ <b> & ' é ß œ ¿"]
)
def test_every_glyph_is_drawn_as_it_is_written(words: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(), matplotlib.rc_context(rc()):
        warnings.simplefilter("error")
        save(heat_maps([panel(words)] * 2, "caption", columns=2), tmp_path / "x")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert "<text" not in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_without_the_chinese_font_the_glyph_test_would_fail(tmp_path: Path) -> None:
    latin_only = rc() | {"font.family": [fonts.LATIN]}
    with pytest.warns(UserWarning, match="Glyph"), matplotlib.rc_context(latin_only):
        save(heat_maps([panel("中国 北京")], "caption", columns=1), tmp_path / "x")


@pytest.mark.parametrize(
    ("text", "is_cjk"),
    [
        *((text, True) for text in ("中国", "ひらがな", "サッカー", "한국", "。", "Ａ")),
        *((text, False) for text in ("2003", "A股", "Ελ", "")),
    ],
)
def test_is_cjk(text: str, is_cjk: bool) -> None:
    assert fonts.is_cjk(text) is is_cjk


def test_kana_are_written_downwards_with_an_upright_long_vowel() -> None:
    with matplotlib.rc_context(rc()):
        axis = heat_maps([panel("サッカー goal")], "caption", columns=1).axes[0]
    labels = [(label.get_text(), label.get_rotation()) for label in axis.get_xticklabels()]
    assert labels[:2] == [("サ\nッ\nカ\n｜", 0.0), ("goal", 90.0)]


def test_heat_map_has_source_across_target_down_and_a_square_per_link() -> None:
    gold = parse("0-2 1?0")
    each = HeatMap("t", ("a", "b"), ("x", "y", "z"), np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]), gold)
    with matplotlib.rc_context(rc()):
        axes = heat_maps([each], "caption", columns=1).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "y", "z"]
    assert axes.yaxis_inverted()
    np.testing.assert_array_equal(axes.images[0].get_array(), each.weights)
    squares = {(int(p.get_x()), int(p.get_y())): p.get_linestyle() for p in axes.patches}
    assert set(squares) == gold.possible
    assert squares[0, 2] == "solid" != squares[1, 0]


def test_shared_target_words_stand_once_a_row() -> None:
    maps = [panel("a b c")] * 3
    with matplotlib.rc_context(rc()):
        shared = heat_maps(maps, "caption", columns=2).axes[:3]
        own = heat_maps([*maps[:2], HeatMap("t", maps[0].source, ("z",), np.eye(1, 3), maps[0].gold)], "c", 2).axes[:3]
    assert [bool(axes.get_yticklabels()[0].get_text()) for axes in shared] == [True, False, True]
    assert all(axes.get_yticklabels()[0].get_text() for axes in own)


@pytest.mark.parametrize(
    ("words", "script"),
    [("오늘", "Hangul"), ("हिन्दी", "Devanagari"), ("ไทย", "Thai"), ("தமிழ்", "Tamil")],
)
def test_a_script_without_a_font_is_named_and_nothing_is_warned_of(words: str, script: str, tmp_path: Path) -> None:
    if not fonts.undrawn_scripts([words]):
        pytest.skip(f"this machine has a font for {script}")
    sentence = f"no font here has {script} (□); `make fonts` installs one"
    with warnings.catch_warnings(), matplotlib.rc_context(rc()):
        warnings.simplefilter("error")
        figure = heat_maps([panel(words)], "caption", columns=1)
        save(figure, tmp_path / "x")
    assert f"caption · {sentence}" in {text.get_text() for text in figure.texts}


def test_marks_of_a_script_are_named_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_drawn", lambda: frozenset(range(128)))
    assert fonts.undrawn_scripts(["है ।"]) == ["Devanagari"] and fonts.undrawn_scripts(["→"]) == ["symbols"]


@pytest.mark.parametrize("words", ["שלום עולם", "السلام عليكم", "ქართული", "Русский", "かな カナ"])
def test_scripts_that_the_fonts_have_are_drawn(words: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(), matplotlib.rc_context(rc()):
        warnings.simplefilter("error")
        save(heat_maps([panel(words)], "caption", columns=1), tmp_path / "x")
    assert fonts.undrawn_scripts([words]) == [] and fonts.drawable(words) == words
