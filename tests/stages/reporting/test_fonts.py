"""The Chinese font cut down to what a page needs."""

from io import BytesIO

from fontTools.ttLib import TTFont

from stages.reporting.fonts import cut_down

TEXTS = ["中国 über", "か，Ａ", "\U00020000"]


def test_a_cut_font_has_the_east_asian_characters_of_the_texts_and_its_licence():
    written = cut_down(TEXTS)
    font = TTFont(BytesIO(written))
    assert font.flavor == "woff" and len(written) < 20_000
    assert {chr(code) for code in font.getBestCmap()} - {"\U00020000"} == set("中国か，Ａ")
    assert "SIL Open Font License" in font["name"].getDebugName(13)


def test_the_same_characters_give_the_same_bytes():
    assert cut_down(TEXTS) == cut_down(["，Ａか国中", "\U00020000"])


def test_texts_without_such_characters_need_none():
    assert cut_down(["the cat", "über", "שלום"]) is None
    assert cut_down(["\ufffe\uffef"]) is None  # in the range, but in no font
