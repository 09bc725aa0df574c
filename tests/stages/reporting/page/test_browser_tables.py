"""The tables and figures of the page, and how it begins, in a browser."""

from itertools import pairwise

import pytest
from selenium.webdriver import Chrome, Keys

from stages.reporting.page.contents import findings
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.all_tables import report_tables
from tests.helpers.browser import chromium, crafted
from tests.helpers.browser.example import BOTH, HOSTILE, STAR
from tests.helpers.browser.page import Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"

(FIRST, TABLE), (SECOND, _) = crafted.TABLES.parts.items()


def test_every_table_of_the_report_is_there_with_all_that_it_says(page: Page, made: StudyResults) -> None:
    page.load("")
    shown = page.run(
        """
        const texts = (place, selector) => [...place.querySelectorAll(selector)].map(e => e.textContent);
        return [...document.querySelectorAll("#tables > details")].map(place => [
          place.open, ...["summary h3", "p.hint", "ul.hint li", "h4", "th", "td"].map(one => texts(place, one))]);
        """
    )
    found = report_tables(made)
    assert [opened for opened, *_ in shown] == [True] + [False] * (len(found) - 1)
    for entry, (_, *texts) in zip(found, shown, strict=True):
        tables = entry.parts.values()
        heads = [text for table in tables for text in (*table.headings, *(title for title, _ in table.rows))]
        cells = [cell.text + cell.marks for table in tables for cell in table.cells]
        assert texts == [[entry.title], [entry.about], list(entry.notes), [*filter(None, entry.parts)], heads, cells]


def test_cells_look_as_they_are(by_hand: Page) -> None:
    """The best in bold with its mark behind, words to the left, numbers to the right, and a title as it is written."""
    assert by_hand.texts(".sortable b") == [values[1] for values in crafted.COLUMNS.values()]
    assert by_hand.texts(".sortable tbody th")[0] == crafted.MARKED
    marked = [values[2] + "‡" for values in crafted.COLUMNS.values()]
    assert [text for text in by_hand.texts(".sortable td") if "‡" in text] == marked
    aligned = (
        "return [...document.querySelectorAll('.sortable tbody tr')[0].cells].map(e => getComputedStyle(e).textAlign)"
    )
    assert by_hand.run(aligned) == ["left", "right", "right", "right", "right", "left"]
    assert by_hand.texts("#tables h4") == [FIRST, SECOND]
    labels = "return [...document.querySelectorAll('#tables .scroll')].map(e => e.getAttribute('aria-label'))"
    assert by_hand.run(labels) == [f"{crafted.TABLES.title}: {part}" for part in (FIRST, SECOND)]


@pytest.mark.parametrize("heading", list(crafted.ORDERS), ids=["larger", "smaller", "sooner", "surer", "alphabet"])
def test_the_best_first_then_the_worst_then_as_before(by_hand: Page, heading: str) -> None:
    column = TABLE.headings.index(heading)
    lower = heading.endswith("↓") or heading in TABLE.words | TABLE.lower
    best = crafted.ORDERS[heading]
    known = [text for text in best if text != "–" or heading in TABLE.words]
    orders = ("ascending", "descending") if lower else ("descending", "ascending")
    worst = [*known[::-1], *best[len(known) :]]
    expected = [(orders[0], best), (orders[1], worst), (None, crafted.COLUMNS[heading])]
    for order, texts in expected:
        said, shown = by_hand.sort_table(0, column)
        assert (said, [text.removesuffix("‡") for text in shown]) == (order, texts)
        arrow = {"ascending": " ▲", "descending": " ▼", None: None}[order]
        selector = f".sortable thead th:nth-child({column + 1}) button"
        assert by_hand.style(selector, "content", "::after") == (f'"{arrow}"' if arrow else "none")


def test_one_column_says_that_it_is_sorted(by_hand: Page) -> None:
    for column in (1, 2):
        by_hand.sort_table(0, column)
        sorted_by = "return [...document.querySelectorAll('.sortable [aria-sort]')].map(e => e.cellIndex)"
        assert by_hand.run(sorted_by) == [column]


def test_a_row_above_the_systems_stays_there(by_hand: Page) -> None:
    orders = [by_hand.sort_table(1, 1)[1] for _ in range(3)]
    assert orders == [["2", "3", "1"], ["2", "1", "3"], ["2", "1", "3"]]


def test_a_row_stays_together(by_hand: Page) -> None:
    by_hand.sort_table(0, 2)
    rows = (
        "return [...document.querySelector('.sortable tbody').rows].map(row => [...row.cells].map(c => c.textContent))"
    )
    shown = by_hand.run(rows)
    expected = [[title, *(cell.text + cell.marks for cell in cells)] for title, cells in TABLE.rows]
    assert sorted(shown) == sorted(expected) and shown != expected


def test_a_figure_without_room_is_a_link(by_hand: Page) -> None:
    (link,) = by_hand.all("#figures figure a")
    assert link.get_dom_attribute("href") == "figures/learning_curves.png"
    assert not by_hand.all("#figures img")


def test_figures_have_captions(page: Page) -> None:
    page.load("")
    captions = page.texts("#figures figcaption")
    assert all(captions) and captions == [image.get_attribute("alt") for image in page.all("#figures img")]


def test_a_caption_begins_in_bold_and_goes_on_plainly(page: Page) -> None:
    page.load("")
    titles = page.texts("#figures figcaption b")
    captions = page.texts("#figures figcaption")
    assert all(caption.startswith(f"{title} ") for title, caption in zip(titles, captions, strict=True))
    assert int(page.style("#figures figcaption", "fontWeight")) < int(page.style("#figures figcaption b", "fontWeight"))


# How it begins


def test_what_was_found_comes_first(page: Page, made: StudyResults) -> None:
    page.load("")
    found = findings(made.judged, "")
    assert page.texts("#findings p") == [found["text"]]
    shown = "return [...document.querySelector('.counts').rows].map(row => [...row.cells].map(c => c.textContent))"
    assert found["rows"] and page.run(shown) == [found["headings"], *found["rows"]]
    assert page.texts("main > section h2")[0] == "What was found"
    assert page.find("#made").text.startswith("Made from commit ")


def test_headings_leave_no_level_out(page: Page) -> None:
    page.load("")
    levels = page.run("return [...document.querySelectorAll('h1, h2, h3, h4')].map(e => Number(e.tagName[1]))")
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


def test_what_scrolls_is_reached_by_keys_and_has_a_name_of_its_own(page: Page) -> None:
    page.load("")
    boxes = page.run(
        """
        const named = (box) => [box.tabIndex, box.getAttribute("role"), box.getAttribute("aria-label")];
        return [...document.querySelectorAll("#findings .scroll, #tables .scroll")].map(named);
        """
    )
    assert {tuple(box[:2]) for box in boxes} == {(0, "region")}
    labels = [label for *_, label in boxes]
    assert all(labels) and len(set(labels)) == len(labels)


def test_what_the_report_has_beside_the_page_is_linked(page: Page) -> None:
    page.load("")
    (link,) = page.all("footer a")
    assert (link.text, link.get_dom_attribute("href")) == ("The report's first page", "README.md")
    assert link.is_displayed()


def test_a_link_opens_at_the_explorer_and_the_page_at_its_top(page: Page) -> None:
    page.load("")
    assert page.run("return scrollY") == 0
    page.open(View("test", 3, STAR, BOTH))
    assert page.focused().get_attribute("id") == "explorer"
    assert abs(page.run("return document.querySelector('#explorer').getBoundingClientRect().top")) < 40


@pytest.mark.parametrize("part", ["findings", "tables", "figures", "explorer"])
def test_parts_are_gone_to(page: Page, part: str) -> None:
    page.load("")
    page.run("arguments[0].focus()", page.find(f"[data-part={part}]"))
    page.keys(Keys.ENTER)
    page.until(lambda: page.focused().get_attribute("id") == part)
    assert page.run("return arguments[0].getBoundingClientRect().top < innerHeight", page.find(f"#{part}"))


def test_a_failure_is_told(page: Page, driver: Chrome) -> None:
    page.open(View("test", 3, STAR, BOTH))
    assert not page.find("#problem").is_displayed()
    page.run("for (const block of document.querySelectorAll('[id^=block-]')) block.textContent = '{'")
    page.choose("#system-b", HOSTILE)
    page.until(lambda: page.find("#problem").is_displayed())
    assert page.find("#problem").text.startswith("The page cannot show this")
    page.until(lambda: any("SyntaxError" in message for message in chromium.console(driver)))
