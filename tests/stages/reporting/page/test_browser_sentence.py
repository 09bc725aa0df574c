"""What the page shows of one sentence, in a browser: marks, values, maps and the words of a cell."""

from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver import Keys

from stages.translating.translations import read_translations
from tests.helpers.browser import chromium, crafted, made_text, study
from tests.helpers.browser.example import BOTH, HOSTILE, SHAPE, SILENT, STAR, TITLES
from tests.helpers.browser.page import SIDES, Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"

FIRST, SECOND = list(TITLES)[:2]
CELL = "table.heat[data-side={}] td[data-t='{}'][data-s='{}']"


def crafted_view(row: int) -> View:
    return View("test", row, FIRST, SECOND)


def test_marks_of_each_case(by_hand: Page) -> None:
    """What is marked, with which sign, and that the mark can be read without colours."""
    for row, (name, case) in enumerate(crafted.CASES.items()):
        by_hand.follow(crafted_view(row))
        assert by_hand.marked("a", "over-translated") == list(case.over), name
        assert by_hand.marked("a", "untranslated") == case.lost, name
        script = (
            "return [...document.querySelectorAll('#source-a .over-translated')].map(e => [e.dataset.mark, e.title])"
        )
        said = [[sign, f"over-translated by {sign[1:]}"] for sign in case.over.values()]
        assert by_hand.run(script) == said, name
    assert by_hand.run("return document.querySelector('#source-b .untranslated').title") == "untranslated"


def test_map_has_a_row_for_the_end_of_sentence_unless_it_was_cut_off(by_hand: Page) -> None:
    for row, case in enumerate(crafted.CASES.values()):
        by_hand.follow(crafted_view(row))
        words = by_hand.texts("table.heat[data-side=a] tbody th")
        finished = len(case.attention) > len(case.target.split())
        assert words == case.target.split() + ["</s>"] * finished
        assert by_hand.texts("table.heat[data-side=a] thead th") == [*case.source.split(), "</s>"]


def test_values_are_of_the_sentence_and_of_the_side(by_hand: Page) -> None:
    for row in range(len(crafted.CASES)):
        by_hand.follow(crafted_view(row))
        for side in SIDES:
            value = crafted.BLEU[side][row]
            written = "–" if value is None else f"{value:.1f}"
            assert by_hand.find(f"#values-{side}").text == f"BLEU {written}"
        assert by_hand.find("#detail-title").text == f"Sentence {row + 1}, test set"


def test_sides_are_called_by_their_systems(page: Page) -> None:
    page.open(View("test", 3, HOSTILE, STAR))
    assert page.texts("#title-a, #title-b") == [TITLES[HOSTILE], TITLES[STAR]]
    assert page.texts("table.heat caption") == [
        f"Attention of {TITLES[name]}. Arrow keys go through the cells." for name in (HOSTILE, STAR)
    ]


def test_what_there_is_not_is_said(page: Page) -> None:
    page.open(View("test", SHAPE.sentences - 1, study.EMPTY, SILENT))
    assert page.find("#translation-a").text == "no words"
    assert page.find("#map-b").text == "This system has no attention to show."


def test_the_higher_the_weight_the_darker_the_cell(page: Page) -> None:
    page.open(View("test", 3, STAR, BOTH))
    cells = page.run(
        """
        const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        return [...document.querySelectorAll("table.heat[data-side=a] td[data-t]")].map((cell) => {
          context.fillStyle = getComputedStyle(cell).backgroundColor;
          context.fillRect(0, 0, 1, 1);
          const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
          return [Number(cell.dataset.weight), red + green + blue];
        });
        """
    )
    cells.sort()
    assert cells[0][1] - cells[-1][1] > 300
    for (low, light), (high, dark) in pairwise(cells):
        assert light == dark if low == high else light >= dark


def test_gold_links_are_told_and_in_the_legend(page: Page) -> None:
    page.open(View("gold", 4, BOTH, STAR))
    assert page.find(".legend .linked").is_displayed()
    cells = page.cells("a").values()
    for kind in ("sure", "possible"):
        assert {f"{kind} gold link" in label for label, classes in cells if f"gold-{kind}" in classes} == {True}
    page.follow(View("test", 4, BOTH, STAR))
    assert not page.find(".legend .linked").is_displayed()


def test_the_words_of_a_cell_light_up_alone(page: Page) -> None:
    page.open(View("test", 3, BOTH, STAR))
    for t, s in ((1, 2), (0, 1)):
        page.hover(page.find(CELL.format("b", t, s)))
        lit = (
            "return [...document.querySelectorAll('#detail .word.lit')].map(e => [e.parentElement.id, e.dataset.place])"
        )
        page.until(lambda t=t, s=s, lit=lit: sorted(page.run(lit)) == [["source-b", str(s)], ["translation-b", str(t)]])
        assert len(page.all("#detail .heat th.lit")) == 2
        assert page.style("#source-b .lit", "boxShadow") != "none"
        assert page.style(".heat tbody th.lit span", "fontWeight") == "700"


def test_arrow_keys_go_every_way_and_the_tabulator_comes_back(page: Page) -> None:
    page.open(View("test", 3, BOTH, STAR))
    page.run("arguments[0].focus()", page.find(CELL.format("a", 1, 1)))
    for key, place in (
        (Keys.ARROW_UP, "0/1"),
        (Keys.ARROW_LEFT, "0/0"),
        (Keys.ARROW_LEFT, "0/0"),
        (Keys.ARROW_DOWN, "1/0"),
        (Keys.ARROW_RIGHT, "1/1"),
    ):
        page.keys(key)
        assert page.run("const { t, s } = document.activeElement.dataset; return `${t}/${s}`") == place
    left = page.focused()
    page.keys(Keys.TAB)
    assert page.focused() != left
    page.tab_back()
    assert page.focused() == left
    assert len(page.all("table.heat[data-side=a] [tabindex='0']")) == 1


def test_words_of_either_direction(page: Page) -> None:
    """Hebrew runs from right to left, beside neighbours that do not, and Chinese headings stand upright."""
    page.open(View("test", 0, HOSTILE, STAR))
    hebrew = made_text.HOSTILE_WORDS.index("שלום")
    for place in ("#source", "#source-b"):
        assert page.style(f"{place} [data-place='{hebrew}']", "direction") == "rtl"
        assert page.style(f"{place} [data-place='0']", "direction") == "ltr"
    assert page.style("#source", "direction") == "ltr"
    turned = page.run(
        "return [...document.querySelectorAll('.heat thead span')].map(e => [e.textContent, e.className])"
    )
    assert {"</script>": "turned", "&": "upright"}.items() <= dict(turned).items()


def test_hostile_text_makes_no_element(page: Page, folder: Path) -> None:
    """Wherever the page sets it: texts, lists, headings, choices, tables, and what a cell says."""
    page.open(View("test", 0, HOSTILE, STAR))
    elements = "return [...document.body.querySelectorAll('*')].filter(e => e.matches(arguments[0])).length"
    bold = "b:not(.sortable td > b, figcaption > b)"
    foreign = f"img:not(#figures img), script:not([type]), [onmouseover], [onerror], {bold}"
    assert page.run(elements, foreign) == 0
    one = read_translations(folder / f"forward-bpe/translations/{HOSTILE}-1/test.jsonl")[0]
    for t, word in enumerate(one.target):
        page.hover(page.find(CELL.format("a", t, 0)))
        page.until(lambda word=word: page.find("#weight").get_attribute("textContent").startswith(f"{word} ← "))
    assert page.run(elements, foreign) == 0


def test_each_text_says_its_language(page: Page) -> None:
    page.load("")
    spoken = page.run("return [...document.querySelectorAll('#detail [lang][id]')].map(e => [e.id, e.lang])")
    expected = {"source": "zh", "references": "en"}
    expected |= {f"source-{side}": "zh" for side in SIDES} | {f"translation-{side}": "en" for side in SIDES}
    assert dict(spoken) == expected


def test_each_word_of_a_map_says_its_language(page: Page) -> None:
    page.open(View("test", 3, BOTH, STAR))
    for headings, language in (("thead th", "zh"), ("tbody th", "en")):
        said = f"return [...document.querySelectorAll('.heat {headings}')].map(e => e.lang)"
        assert set(page.run(said)) == {language}
    page.hover(page.find(CELL.format("b", 1, 2)))
    page.until(
        lambda: page.run("return [...document.querySelectorAll('#weight bdi')].map(e => e.lang)") == ["en", "zh"]
    )


def test_a_line_runs_as_its_first_letter_does(by_hand: Page) -> None:
    for row, case in enumerate(crafted.CASES.values()):
        by_hand.follow(crafted_view(row))
        from_right = case.source.startswith(crafted.HEBREW)
        for place, turned in (("#source", from_right), ("#source-a", from_right), ("#translation-a", False)):
            assert by_hand.style(place, "direction") == ("rtl" if turned else "ltr")
            lefts = by_hand.run(
                f"return [...document.querySelectorAll('{place} .word')].map(e => e.getBoundingClientRect().left)"
            )
            assert lefts == sorted(lefts, reverse=turned)
