"""The explorer in a browser: a sentence, its translations and their attention."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys

from stages.files.text import read_lines
from stages.measures.gold_links import parse
from tests.helpers.browser import chromium, made_text, study
from tests.helpers.browser.example import ALL, BOTH, HOSTILE, SHAPE, SILENT, STAR, TITLES
from tests.helpers.browser.expected import faults, number, told, translations, words
from tests.helpers.browser.page import Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"


def test_opens_usable_and_with_something_to_see(page: Page) -> None:
    page.load("")
    assert page.view() is not None
    assert page.find("#count").text == f"{SHAPE.sentences} of {SHAPE.sentences} sentences"
    assert [option.get_attribute("value") for option in page.all("#system-a option")] == list(TITLES)
    assert page.texts("#system-b option") == list(TITLES.values())
    assert [option.get_attribute("value") for option in page.all("#set option")] == ["test", "test2", "gold"]


def test_sentence_and_systems_that_are_chosen_are_shown(page: Page, folder: Path) -> None:
    page.load("")
    for view in (View("test", 3, BOTH, STAR), View("test2", 5, STAR, SILENT), View("gold", 2, HOSTILE, BOTH)):
        name, row, a, b = view
        page.choose("#set", name)
        page.choose("#system-a", a)
        page.choose("#system-b", b)
        page.click_sentence(row)
        page.wait_for(view)
        assert page.texts("#source .word") == words(folder, f"{name}.zh")[row]
        assert page.texts("#translation-a .word") == translations(folder, a, name)[row].target
        assert page.texts("#translation-b .word") == translations(folder, b, name)[row].target
        script = "return [...document.querySelectorAll('#sentences [aria-current]')].map(e => +e.dataset.row)"
        page.until(lambda script=script, row=row: page.run(script) == [row])


def test_every_reference_is_shown(page: Page, folder: Path) -> None:
    page.open(View("test", 4, BOTH, STAR))
    references = [read_lines(folder / f"corpus/test.ref{k}.en")[4] for k in range(2)]
    assert page.texts("#references li") == references


def test_over_translated_and_untranslated_words_are_marked(page: Page, folder: Path) -> None:
    page.open(View("test", 0, STAR, BOTH))
    seen: set[bool] = set()
    for row in range(1, 6):
        page.follow(View("test", row, STAR, BOTH))
        for side, variant in (("a", STAR), ("b", BOTH)):
            over, untranslated = faults(translations(folder, variant, "test")[row])
            assert page.marked(side, "over-translated") == over
            assert page.marked(side, "untranslated") == untranslated
            seen |= {bool(over), bool(untranslated)}
    assert seen == {True, False}


def test_each_cell_says_its_weight(page: Page, folder: Path) -> None:
    page.open(View("test", 3, BOTH, STAR))
    for side, variant in (("a", BOTH), ("b", STAR)):
        one = translations(folder, variant, "test")[3]
        cells = page.cells(side)
        assert len(cells) == one.attention.size
        for (t, s), (label, _) in cells.items():
            assert number(label) == pytest.approx(one.attention[t, s], abs=0.0051)


def test_gold_links_are_drawn_where_the_gold_set_has_them(page: Page, folder: Path) -> None:
    row = 4
    page.open(View("gold", row, BOTH, STAR))
    gold = parse(read_lines(folder / "corpus/gold.align")[row])
    assert gold.possible > gold.sure
    for side in ("a", "b"):
        drawn = {"gold-sure": set(), "gold-possible": set()}
        for (t, s), (_, classes) in page.cells(side).items():
            for name in drawn.keys() & set(classes):
                drawn[name].add((s, t))
        assert drawn["gold-sure"] == gold.sure
        assert drawn["gold-possible"] == gold.possible - gold.sure
    page.follow(View("test", row, BOTH, STAR))
    assert not page.all(".heat .gold-sure, .heat .gold-possible")


def test_hover_and_focus_tell_the_weight(page: Page, folder: Path) -> None:
    page.open(View("test", 3, BOTH, STAR))
    one = translations(folder, STAR, "test")[3]
    cell = "table.heat[data-side=b] td[data-t='{}'][data-s='{}']"
    page.hover(page.find(cell.format(1, 2)))
    page.until(lambda: page.find("#weight").text == told(one, 1, 2))
    page.run("arguments[0].focus()", page.find(cell.format(0, 0)))
    page.until(lambda: page.find("#weight").text == told(one, 0, 0))
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    page.until(lambda: page.find("#weight").text == told(one, 1, 1))


def test_cell_that_has_the_focus_is_in_sight(page: Page, folder: Path) -> None:
    """Also in a map that is larger than the window, beside headings and a line of text that stay where they are."""
    page.open(View("test", 1, BOTH, STAR))
    height, width = translations(folder, STAR, "test")[1].attention.shape
    page.run("arguments[0].focus()", page.find("table.heat[data-side=b] td[data-t='0'][data-s='0']"))
    for key, steps in ((Keys.ARROW_DOWN, height), (Keys.ARROW_RIGHT, width), (Keys.ARROW_UP, height)):
        for _ in range(steps // 5):
            page.keys(*[key] * 5)
            assert page.uncovered(page.driver.switch_to.active_element)


def test_system_without_attention_has_its_translation_and_no_heat_map(page: Page, folder: Path) -> None:
    page.open(View("test", 3, SILENT, STAR))
    assert page.texts("#translation-a .word") == translations(folder, SILENT, "test")[3].target
    assert page.cells("a") == {}
    assert page.cells("b") != {}
    assert page.marked("a", "over-translated") == page.marked("a", "untranslated") == []
    page.choose("#system-b", SILENT)
    page.wait_for(View("test", 3, SILENT, SILENT))
    assert page.cells("b") == {}


def test_hostile_text_is_shown_as_it_is_written(page: Page, folder: Path) -> None:
    page.load("")
    for name in ("gold", "test"):
        page.follow(View(name, 0, HOSTILE, STAR))
        assert page.texts("#source .word") == list(made_text.HOSTILE_WORDS)
        assert page.texts("#source-b .word") == list(made_text.HOSTILE_WORDS)
        assert page.texts("#translation-a .word") == translations(folder, HOSTILE, name)[0].target
    assert page.texts("#references li")[0] == made_text.HOSTILE_REFERENCE
    assert study.HOSTILE_TITLE in page.texts("#system-a option")
    assert not page.all("section#detail script, section#detail img, #sentences img, option b")


def test_hostile_words_can_be_searched_and_linked(page: Page) -> None:
    page.open(View("test", 1, HOSTILE, STAR))
    for k, word in enumerate(made_text.HOSTILE_WORDS):
        page.follow(View("test", 2 + k, HOSTILE, STAR), q=word)
        assert page.rows()[:1] == [0]
        assert page.find("#search").get_attribute("value") == word


def test_empty_translation_and_a_long_sentence(page: Page) -> None:
    page.open(View("test", ALL[-1], study.EMPTY, STAR))
    assert page.texts("#translation-a .word") == []
    assert page.marked("a", "untranslated") == list(range(len(page.texts("#source-a .word"))))
    page.follow(View("test", 1, study.EMPTY, STAR))
    assert len(page.texts("#source .word")) == made_text.LONG


def test_an_error_would_be_noticed(page: Page, driver: Chrome) -> None:
    page.load("")
    page.run("setTimeout(() => missing())")
    page.until(lambda: any("missing is not defined" in message for message in chromium.console(driver)))
    page.run("fetch('http://localhost:9/').catch(() => null)")
    page.until(lambda: any("Content Security Policy" in message for message in chromium.console(driver)))
