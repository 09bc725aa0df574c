"""The fonts cut down to what a page needs."""

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from stages.reporting import fonts
from stages.reporting.page import fonts as fonts_of_page
from stages.reporting.page.fonts import cut_down

TEXTS = ["中国 über", "か，Ａ", "\U00020000"]


def test_a_cut_font_has_the_east_asian_characters_of_the_texts_and_its_licence():
    (written,) = cut_down(TEXTS)
    font = TTFont(BytesIO(written))
    assert font.flavor == "woff" and len(written) < 20_000
    assert {chr(code) for code in font.getBestCmap()} - {"\U00020000"} == set("中国か，Ａ")
    assert "SIL Open Font License" in font["name"].getDebugName(13)


def test_the_same_characters_give_the_same_bytes():
    assert [*cut_down(TEXTS)] == [*cut_down(["，Ａか国中", "\U00020000"])]


def test_texts_without_such_characters_need_none():
    assert [*cut_down(["the cat", "über", "שלום"])] == []
    assert [*cut_down(["\ufffe\uffef"])] == []  # in the range, but in no font


def made(path: Path, letters: str) -> Path:
    """A font with these letters alone."""
    names = [".notdef", *(f"uni{ord(letter):04X}" for letter in letters)]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, letters), names[1:], strict=True)))
    builder.setupGlyf({name: TTGlyphPen(None).glyph() for name in names})
    builder.setupHorizontalMetrics({name: (500, 0) for name in names})
    builder.setupHorizontalHeader()
    builder.setupPost()
    builder.setupNameTable({"familyName": "Made"})
    builder.save(path)
    return path


def test_a_further_font_adds_only_what_those_before_it_lack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    thai = made(tmp_path / "thai.ttf", "ไทย中a")
    monkeypatch.setattr(fonts_of_page, "packaged", lambda: (*fonts.packaged()[:1], thai))
    chinese, other = cut_down(["中 ไท a"])
    assert [{chr(code) for code in TTFont(BytesIO(one)).getBestCmap()} for one in (chinese, other)] == [{"中"}, {*"ไท"}]
