"""Whether the page can be read: colours, the focus, a phone, tables that are scrolled, and on paper."""

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import chromium, crafted
from tests.helpers.browser.example import BOTH, HOSTILE, SILENT, STAR
from tests.helpers.browser.page import Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"

DRAWN = """
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    return arguments[0].map((text) => {
      context.clearRect(0, 0, 64, 64);
      context.font = `32px ${getComputedStyle(document.querySelector("#source")).fontFamily}`;
      context.fillText(text, 8, 48);
      return [...context.getImageData(0, 0, 64, 64).data].join();
    });
"""

PHONES = [(360, 740), (390, 844)]
TEXTS = (
    "body",
    "h1 span",
    "nav button",
    "summary",
    ".hint",
    ".sortable thead button",
    ".sortable td",
    "label",
    "#search",
    "#count",
    "#sentences .snippet",
    "#sentences .note",
    "#sentences [aria-current] .note",
    "dt",
    ".values",
    ".legend .over-translated",
    ".legend .untranslated",
    ".heat .eos",
    "#weight",
    ".side",
)
CONTRAST = """
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (...colours) => {
      context.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
      }
      const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = [];
    for (let place = arguments[0]; place; place = place.parentElement) {
      behind.unshift(getComputedStyle(place).backgroundColor);
    }
    const [paper, ink] = [luminance(...behind), luminance(...behind, getComputedStyle(arguments[0]).color)];
    return (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
    """


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(page: Page, scheme: str) -> None:
    """By at least 4.5 to 1, as WCAG 2 (AA) asks of text."""
    with page.media("screen", scheme):
        page.open(View("gold", 3, STAR, BOTH))
        ratios = {selector: page.run(CONTRAST, page.find(selector)) for selector in TEXTS}
        assert {selector: ratio for selector, ratio in ratios.items() if ratio < 4.5} == {}
        bright = page.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] > 127")
        assert bright == (scheme == "light")


def test_marks_do_not_need_colours(page: Page) -> None:
    page.open(View("gold", 4, STAR, BOTH))
    assert "underline" in page.style(".legend .over-translated", "textDecorationLine")
    assert page.style(".legend .untranslated", "outlineStyle") == "dashed"
    for mark, sign in (("over-translated", "+1"), ("untranslated", "∅")):
        assert page.find(f".legend .{mark}").get_attribute("data-mark") == sign
        assert page.style(f".legend .{mark}", "content", "::after") not in ("none", "normal")
        assert page.style(f".legend .{mark}", "backgroundColor") != page.style(".legend", "backgroundColor")
    for kind, line in (("sure", "solid"), ("possible", "dashed")):
        cell = f".heat .gold-{kind}"
        drawn = [page.style(cell, name, "::before") for name in ("borderTopStyle", "borderTopWidth", "content")]
        assert drawn == [line, "2px", '""']


def test_the_focus_is_seen_on_whatever_has_it(page: Page) -> None:
    page.load("")
    seen = []
    for _ in range(60):
        page.keys(Keys.TAB)
        outline = (
            "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]"
        )
        style, width = page.run(outline)
        name = page.run("return document.activeElement.id || document.activeElement.tagName")
        if name != "BODY":
            assert style == "solid" and width >= 2, name
        seen.append(name)
    assert {"SUMMARY", "BUTTON", "DIV", "set", "search", "TD"} <= set(seen)


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_phone_shows_all_without_scrolling_sideways(page: Page, width: int, height: int) -> None:
    with page.screen(width, height):
        page.load("")
        page.run("for (const one of document.querySelectorAll('details')) one.open = true")
        views = View("test", 0, HOSTILE, STAR), View("test", 1, BOTH, STAR), View("gold", 1, BOTH, SILENT)
        for view in views:
            page.follow(view)
            assert page.run("return [innerWidth, document.documentElement.scrollWidth]") == [width, width]
        wide = "return [...document.querySelectorAll('.scroll, .map, select, input, #detail')]" + (
            ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.id || e.className || e.tagName)"
        )
        assert page.run(wide) == []


def test_a_long_word_is_broken_on_a_phone(by_hand: Page) -> None:
    with by_hand.screen(*PHONES[0]):
        by_hand.load("")
        assert crafted.LONG in by_hand.texts("#tables li")
        assert by_hand.run("return document.documentElement.scrollWidth") == PHONES[0][0]


@pytest.mark.parametrize("width", [360, 1400])
def test_figures_fit_the_screen_and_a_click_shows_them_in_full_size(page: Page, width: int) -> None:
    sizes = """
        const box = document.querySelector("figure .scroll");
        return [box.querySelector("img").width, box.clientWidth, box.scrollWidth];
        """
    with page.screen(width, 740):
        page.load("")
        page.run("document.querySelector('figure').scrollIntoView()")
        page.until(lambda: page.run("return document.querySelector('figure img').naturalWidth") == 1500)
        image, box, scrolled = page.run(sizes)
        assert 0 < image <= box == scrolled
        for wide in (True, False):
            page.run("document.querySelector('.zoom').click()")
            image, box, scrolled = page.run(sizes)
            assert (image == 1500 and scrolled >= 1500) == wide


@pytest.mark.parametrize("width", [360, 450, 650])
def test_numbers_stand_beside_the_systems_on_a_narrow_screen(page: Page, width: int) -> None:
    """However long their titles are."""
    with page.screen(width, 740):
        page.load("")
        page.run(
            "for (const one of document.querySelectorAll('.sortable tbody th')) one.textContent = 'word '.repeat(20)"
        )
        first, number, seen = page.run(
            """
            const box = document.querySelector("#tables .scroll");
            const [first, number] = box.querySelector("tbody tr").cells;
            return [first.getBoundingClientRect().width, number.getBoundingClientRect().right, box.clientWidth];
            """
        )
        assert first < 0.5 * width and number < seen


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_phone_shows_the_list_above_the_sentence(page: Page, width: int, height: int) -> None:
    with page.screen(width, height):
        page.open(View("test", 3, STAR, BOTH))
        boxes = [page.find(name).rect for name in (".list", "#detail")]
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
        assert boxes[0]["height"] < height / 2
        assert min(box["width"] for box in boxes) > 0.8 * width


def test_headings_stay_while_a_table_is_scrolled(page: Page) -> None:
    with page.screen(*PHONES[0]):
        page.load("")
        offsets = page.run(
            """
            const box = document.querySelector("#tables .scroll");
            box.style.maxHeight = "6rem";
            box.scrollTo(150, 40);
            const [outer, head, row] = [box, box.querySelector("thead th:nth-child(2)"), box.querySelector("tbody th")]
              .map((one) => one.getBoundingClientRect());
            return [box.scrollLeft, box.scrollTop, head.top - outer.top, row.left - outer.left];
            """
        )
        assert offsets[:2] == [150, 40]
        assert max(offsets[2:]) <= 2 and min(offsets[2:]) >= 0


def test_words_and_weight_stay_while_a_map_is_scrolled(page: Page) -> None:
    with page.screen(*PHONES[0]):
        page.open(View("test", 1, BOTH, STAR))
        offsets = page.run(
            """
            const box = document.querySelector("#map-a");
            box.scrollIntoView();
            box.scrollTo(200, 100);
            const [outer, head, row] = [box, box.querySelector("thead th"), box.querySelector("tbody th")]
              .map((one) => one.getBoundingClientRect());
            const weight = document.querySelector(".weight").getBoundingClientRect();
            const edges = [head.top - outer.top, row.left - outer.left, innerHeight - weight.bottom];
            return [box.scrollLeft, box.scrollTop, ...edges];
            """
        )
        assert offsets[:2] == [200, 100]
        assert all(-1 <= offset <= 3 for offset in offsets[2:])


def test_captions_of_maps_are_heard_not_seen(page: Page) -> None:
    page.open(View("test", 3, STAR, BOTH))
    assert page.find(".heat caption").rect["width"] <= 1


def test_on_paper_nothing_is_cut_off(page: Page) -> None:
    with page.media("print", "light"):
        page.open(View("test", 1, BOTH, STAR))
        for selector in (".scroll", ".map"):
            assert [page.style(selector, name) for name in ("overflow", "maxHeight")] == ["visible", "none"]
        assert not page.find("form").is_displayed() and not page.find(".list").is_displayed()


@pytest.mark.parametrize("selector", [".heat td[data-t]", ".scale", ".over-translated", ".untranslated", ".side"])
def test_on_paper_colours_that_say_something_are_printed(page: Page, selector: str) -> None:
    """Browsers leave backgrounds out unless they are told not to: maps would be empty."""
    with page.media("print", "light"):
        page.open(View("test", 1, BOTH, STAR))
        assert page.style(selector, "printColorAdjust") == "exact"


def test_on_paper_every_table_is_open_and_then_as_before(page: Page) -> None:
    page.load("")
    opened = "return [...document.querySelectorAll('details')].map(e => e.open)"
    before = page.run(opened)
    assert not all(before)
    page.run("for (const one of ['beforeprint', 'beforeprint']) dispatchEvent(new Event(one))")
    assert all(page.run(opened))
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run(opened) == before


def test_on_paper_every_table_is_as_wide_as_the_sheet_at_most(page: Page) -> None:
    """A4, lying, without its margins."""
    with page.screen(1047, 718), page.media("print", "light"):
        page.load("")
        page.run("dispatchEvent(new Event('beforeprint'))")
        wide = "return [...document.querySelectorAll('table.sortable')].map(e => e.getBoundingClientRect().right)"
        assert max(page.run(wide)) <= 1047
        orientation = "return [...document.styleSheets[0].cssRules].filter(e => e.type === CSSRule.PAGE_RULE)" + (
            ".map(e => e.style.size)"
        )
        assert page.run(orientation) == ["landscape"]


def test_chinese_is_drawn_without_a_chinese_font(page: Page) -> None:
    """Characters of no font are boxes; those of the page are not, whatever fonts this machine has."""
    page.open(View("test", 3, BOTH, STAR))
    assert "词" in page.find("#source").text
    page.until(lambda: page.run("return document.fonts.status") == "loaded")
    character, box, another_box = page.run(DRAWN, ["词", "\ue123", "\ue124"])
    assert box == another_box != character
    assert page.run("return [...document.fonts].map((font) => font.status)") == ["loaded"]


def test_no_word_is_drawn_before_its_font_is_there(page: Page) -> None:
    page.load("")
    page.run("location.reload()")
    page.until(lambda: page.find("body").get_attribute("data-ready") == "true")
    assert page.run("return [...document.fonts].map((font) => font.status)") == ["loaded"]
