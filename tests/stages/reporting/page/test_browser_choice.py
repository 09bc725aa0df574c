"""The explorer in a browser: sentences sorted, searched and chosen, links, and the tables and figures around it."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from tests.helpers.browser import chromium
from tests.helpers.browser.example import ALL, BOTH, FIGURES, SHAPE, SILENT, STAR, TITLES
from tests.helpers.browser.expected import counts, error_rate, sentence_bleu, texts, value, words
from tests.helpers.browser.page import Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"


KEYS = {
    "bleu": sentence_bleu,
    "aer": error_rate,
    "over-translation": lambda row: row["rot.repeats_all"],
}


def test_sentences_are_sorted_by_where_the_systems_differ_most(page: Page, folder: Path) -> None:
    page.open(View("test", 0, STAR, BOTH))
    for name, key in (("test", "bleu"), ("test", "over-translation"), ("test2", "bleu"), ("gold", "aer")):
        a, b = (counts(folder, variant, name).apply(KEYS[key], axis=1) for variant in (STAR, BOTH))
        apart = (a - b).abs().round(3)
        order = sorted(ALL, key=lambda k: (-apart[k], k))
        assert len(set(apart)) > 3 and order != ALL
        page.choose("#set", name)
        page.choose("#sort", key)
        page.wait_for_rows(order)


def test_sentences_are_sorted_by_length_and_position(page: Page, folder: Path) -> None:
    lengths = [len(line) for line in words(folder, "test.zh")]
    page.open(View("test", 0, STAR, BOTH))
    page.wait_for_rows(ALL)
    page.choose("#sort", "length")
    page.wait_for_rows(sorted(ALL, key=lambda k: (lengths[k], k)))
    page.choose("#sort", "position")
    page.wait_for_rows(ALL)


def test_what_cannot_be_sorted_by_cannot_be_chosen(page: Page) -> None:
    page.load("")
    for view, possible in (
        (View("test", 1, STAR, BOTH), ["bleu", "over-translation"]),
        (View("test", 1, STAR, SILENT), ["bleu"]),
        (View("gold", 1, STAR, BOTH), ["aer"]),
        (View("gold", 1, SILENT, BOTH), []),
    ):
        page.follow(view)
        enabled = [option.get_attribute("value") for option in page.all("#sort option:not(:disabled)")]
        assert enabled == ["position", "length", *possible]


def test_search_keeps_the_sentences_with_the_word(page: Page, folder: Path) -> None:
    page.open(View("test", 0, STAR, BOTH))
    searched = texts(folder, STAR, BOTH)
    for spec in ("词13", "WORD13", "no such word", "word"):
        page.write("#search", spec)
        found = [k for k, text in enumerate(searched) if spec.casefold() in text]
        page.wait_for_rows(found)
        none = "" if found else ": none fits, so the last one stays"
        assert page.find("#count").text == f"{len(found)} of {SHAPE.sentences} sentences{none}"


def test_lengths_filter(page: Page, folder: Path) -> None:
    lengths = [len(line) for line in words(folder, "test.zh")]
    page.open(View("test", 0, STAR, BOTH))
    page.write("#min-length", "8")
    page.write("#max-length", "15")
    within = [k for k, length in enumerate(lengths) if 8 <= length <= 15]
    assert 0 < len(within) < SHAPE.sentences
    page.wait_for_rows(within)
    assert page.find("#count").text == f"{len(within)} of {SHAPE.sentences} sentences"


def test_every_control_is_reached_with_the_tabulator(page: Page) -> None:
    page.open(View("test", 2, STAR, BOTH))
    reached = []
    for _ in range(40):
        page.keys(Keys.TAB)
        reached.append(page.run("return document.activeElement.id || document.activeElement.tagName"))
    controls = ["set", "system-a", "system-b", "search", "min-length", "max-length", "sort"]
    assert sorted(set(controls) & set(reached)) == sorted(controls)
    assert "BUTTON" in reached and "TD" in reached


def test_systems_and_sentences_are_chosen_with_arrows(page: Page) -> None:
    page.open(View("test", 2, BOTH, STAR))
    page.run("document.getElementById('system-a').focus()")
    page.keys(Keys.ARROW_DOWN)
    page.wait_for(View("test", 2, STAR, STAR))
    page.run("document.querySelector('#sentences [aria-current]').focus()")
    page.keys(Keys.ARROW_DOWN, Keys.ENTER)
    page.wait_for(View("test", 3, STAR, STAR))


def test_link_opens_the_same_view_in_another_tab(page: Page, driver: Chrome) -> None:
    page.load("")
    page.choose("#set", "test2")
    page.choose("#system-a", SILENT)
    page.choose("#system-b", BOTH)
    page.choose("#sort", "bleu")
    page.write("#search", "词1")
    page.write("#min-length", "4")
    page.write("#max-length", "30")
    page.until(lambda: 1 < len(page.rows()) < SHAPE.sentences)
    row = page.rows()[1]
    page.click_sentence(row)
    page.wait_for(View("test2", row, SILENT, BOTH))
    address, rows = driver.current_url, page.rows()
    with page.tab():
        driver.get(address)
        page.wait_for(View("test2", row, SILENT, BOTH))
        page.wait_for_rows(rows)
        controls = [page.find(f"#{name}").get_attribute("value") for name in ("sort", "search", "min-length")]
        assert controls == ["bleu", "词1", "4"]


def test_page_follows_its_fragment(page: Page) -> None:
    page.open(View("test", 2, STAR, BOTH))
    page.follow(View("test2", 3, BOTH, SILENT), sort="length")
    assert page.find("#sort").get_attribute("value") == "length"
    page.write("#search", "词1")  # has the focus from now on
    page.follow(View("test2", 4, BOTH, SILENT), q="word2")
    assert page.find("#search").get_attribute("value") == "word2"


@pytest.mark.parametrize(
    "fragment",
    [
        "set=none&a=none&b=none&row=99999&sort=none&min=x&max=-1",
        "&&==&row=-1&q=%E0%A4%A&a=__proto__",
    ],
)
def test_fragment_that_makes_no_sense_is_survived(page: Page, fragment: str) -> None:
    page.load(fragment)
    view = page.view()
    assert view.set in ("test", "test2", "gold") and {view.a, view.b} <= set(TITLES) and view.row in ALL


def test_figures_beside_the_page_are_shown_in_it(page: Page) -> None:
    page.load("")
    images = page.all("#figures img")
    assert len(images) == len(FIGURES)
    for image in images:
        assert image.get_attribute("alt")
        page.hover(image)
        page.until(lambda image=image: page.run("return arguments[0].complete && arguments[0].naturalWidth > 0", image))


def test_tables_are_sorted_by_numbers_as_numbers(page: Page) -> None:
    page.load("")
    headings = [table.find_elements(By.CSS_SELECTOR, "thead th") for table in page.all("table.sortable")[:2]]
    of_numbers = [[k for k, head in enumerate(of) if head.get_attribute("class") != "words"] for of in headings]
    assert all(of_numbers)
    unlike_text = 0
    for index, columns in enumerate(of_numbers):
        for column in columns:
            found = [page.sort_table(index, column) for _ in range(2)]
            assert {direction for direction, _ in found} == {"ascending", "descending"}
            for direction, shown in found:
                numbers = [value(text) for text in shown]
                known = [number for number in numbers if number is not None]
                assert known == sorted(known, reverse=direction == "descending")
                assert known == numbers[: len(known)]
                unlike_text += shown != sorted(shown, reverse=direction == "descending")
    assert unlike_text > 0


def test_table_is_sorted_with_the_keyboard_and_goes_back(page: Page) -> None:
    page.load("")
    table, heading = page.find("table.sortable"), page.find("table.sortable thead th")
    original = [row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody th")]
    assert original[: len(TITLES)] == list(TITLES.values())
    orders = []
    for _ in range(3):
        heading.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        orders.append([row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody th")])
        assert sorted(orders[-1]) == sorted(original)
    assert orders[0] == orders[1][::-1]
    assert orders[2] == original
