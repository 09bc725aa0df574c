"""The report page in a real browser: all that a reader can do with it, and text that would break a careless page."""

import math
import os
import re
from pathlib import Path
from time import perf_counter

import pandas as pd
import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from stages.files.text import read_lines
from stages.measures.gold_links import parse
from stages.reporting.page.sentences import read_sets
from stages.reporting.page.write import write_page
from stages.reporting.tables.contents import entries
from stages.translating.translations import Translation, read_translations
from tests.helpers.browser import chromium, study
from tests.helpers.browser.example import ALL, BOTH, FIGURES, HOSTILE, SHAPE, SILENT, STAR, TITLES
from tests.helpers.browser.page import Page, View

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"


def translations(folder: Path, variant: str, name: str) -> list[Translation]:
    file = f"{name}.forced.jsonl" if name == "gold" else f"{name}.jsonl"
    return read_translations(folder / f"forward-bpe/translations/{variant}-1/{file}")


def counts(folder: Path, variant: str, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / f"forward-bpe/scores/{variant}-1/{name}.csv")


def words(folder: Path, name: str) -> list[list[str]]:
    """Of each sentence of a file of the corpus."""
    return [line.split(" ") for line in read_lines(folder / f"corpus/{name}")]


# Choosing and comparing


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


def faults(one: Translation) -> tuple[list[int], list[int]]:
    """Positions of the source words that one is told twice, in the same words, and of those not told at all."""
    told: dict[int, list[str]] = {}
    for word, weights in zip(one.target, one.attention, strict=False):
        strongest = max(range(len(weights)), key=lambda s: weights[s])
        told.setdefault(strongest, []).append(word.casefold())
    positions = range(len(one.source))
    over = [s for s in positions if len(told.get(s, [])) > len(set(told.get(s, [])))]
    return over, [s for s in positions if s not in told]


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


# Heat maps


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


def number(text: str) -> float:
    """The last number in it."""
    return float(re.findall(r"\d*\.?\d+", text)[-1])


def told(one: Translation, t: int, s: int) -> str:
    return f"{[*one.target, '</s>'][t]} ← {[*one.source, '</s>'][s]}: {one.attention[t, s]:.2f}"


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


# The list of sentences


def sentence_bleu(row: pd.Series) -> float:
    """In percent: of the orders that the translation is long enough for; the k-th without a match counts 2^-k."""
    correct, total = ([row[f"bleu.{kind}_{n}"] for n in range(1, 5)] for kind in ("correct", "total"))
    if not any(correct):
        return 0.0
    matches, missed = [], 0
    for found in correct:
        missed += found == 0
        matches.append(found or 0.5**missed)
    precisions = [found / of for found, of in zip(matches, total, strict=True) if of > 0]
    penalty = min(1.0, math.exp(1 - row["bleu.reference_length"] / row["bleu.system_length"]))
    return 100 * penalty * math.prod(precisions) ** (1 / len(precisions))


def error_rate(row: pd.Series) -> float:
    """AER in percent."""
    found = row["aer.links_sure"] + row["aer.links_possible"]
    return 100 * (1 - found / (row["aer.links"] + row["aer.sure"]))


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


def texts(folder: Path, *variants: str) -> list[str]:
    """All that can be searched, a text a sentence of the first test set."""
    said = [[" ".join(one.target) for one in translations(folder, variant, "test")] for variant in variants]
    columns = (*(read_lines(folder / f"corpus/test.{kind}") for kind in ("zh", "ref0.en", "ref1.en")), *said)
    return ["\n".join(lines).casefold() for lines in zip(*columns, strict=True)]


def test_search_keeps_the_sentences_with_the_word(page: Page, folder: Path) -> None:
    page.open(View("test", 0, STAR, BOTH))
    searched = texts(folder, STAR, BOTH)
    for asked in ("词13", "WORD13", "no such word", "word"):
        page.write("#search", asked)
        found = [k for k, text in enumerate(searched) if asked.casefold() in text]
        page.wait_for_rows(found)
        assert page.find("#count").text == f"{len(found)} of {SHAPE.sentences} sentences"


def test_lengths_filter(page: Page, folder: Path) -> None:
    lengths = [len(line) for line in words(folder, "test.zh")]
    page.open(View("test", 0, STAR, BOTH))
    page.write("#min-length", "8")
    page.write("#max-length", "15")
    within = [k for k, length in enumerate(lengths) if 8 <= length <= 15]
    assert 0 < len(within) < SHAPE.sentences
    page.wait_for_rows(within)
    assert page.find("#count").text == f"{len(within)} of {SHAPE.sentences} sentences"


# The keyboard alone


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


# The link


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


# Text that would harm


def test_hostile_text_is_shown_as_it_is_written(page: Page, folder: Path) -> None:
    page.load("")
    for name in ("gold", "test"):
        page.follow(View(name, 0, HOSTILE, STAR))
        assert page.texts("#source .word") == list(study.HOSTILE_WORDS)
        assert page.texts("#source-b .word") == list(study.HOSTILE_WORDS)
        assert page.texts("#translation-a .word") == translations(folder, HOSTILE, name)[0].target
    assert page.texts("#references li")[0] == study.HOSTILE_REFERENCE
    assert study.HOSTILE_TITLE in page.texts("#system-a option")
    assert not page.all("section#detail script, section#detail img, #sentences img, option b")


def test_hostile_words_can_be_searched_and_linked(page: Page) -> None:
    page.open(View("test", 1, HOSTILE, STAR))
    for k, word in enumerate(study.HOSTILE_WORDS):
        page.follow(View("test", 2 + k, HOSTILE, STAR), q=word)
        assert page.rows()[:1] == [0]
        assert page.find("#search").get_attribute("value") == word


def test_empty_translation_and_a_long_sentence(page: Page) -> None:
    page.open(View("test", ALL[-1], study.EMPTY, STAR))
    assert page.texts("#translation-a .word") == []
    assert page.marked("a", "untranslated") == list(range(len(page.texts("#source-a .word"))))
    page.follow(View("test", 1, study.EMPTY, STAR))
    assert len(page.texts("#source .word")) == study.LONG


def test_an_error_would_be_noticed(page: Page, driver: Chrome) -> None:
    page.load("")
    page.run("setTimeout(() => missing())")
    page.until(lambda: any("missing is not defined" in message for message in chromium.console(driver)))
    page.run("fetch('http://localhost:9/').catch(() => null)")
    page.until(lambda: any("Content Security Policy" in message for message in chromium.console(driver)))


# Figures


def test_figures_beside_the_page_are_shown_in_it(page: Page) -> None:
    page.load("")
    images = page.all("#figures img")
    assert len(images) == len(FIGURES)
    for image in images:
        assert image.get_attribute("alt")
        page.hover(image)
        page.until(lambda image=image: page.run("return arguments[0].complete && arguments[0].naturalWidth > 0", image))


# Tables


def value(text: str) -> float | None:
    """Seconds of a clock, else the number that a cell begins with; None where there is none."""
    clock = re.match(r"(\d+):(\d\d):(\d\d)", text)
    if clock:
        hours, minutes, seconds = map(int, clock.groups())
        return 3600 * hours + 60 * minutes + seconds
    found = re.match(r"[-−+]?\d[\d,]*(\.\d+)?", text)
    return float(found[0].replace(",", "").replace("−", "-")) if found else None


def test_tables_are_sorted_by_numbers_as_numbers(page: Page) -> None:
    page.load("")
    headings = [len(table.find_elements(By.CSS_SELECTOR, "thead th")) for table in page.all("table.sortable")[:2]]
    unlike_text = 0
    for index, columns in enumerate(headings):
        for column in range(1, columns):
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


# Size


@pytest.mark.skipif("LARGE_STUDY" not in os.environ, reason="takes minutes; asked for with LARGE_STUDY=1")
def test_a_thousand_sentences_and_45_systems_are_quick(driver: Chrome, tmp_path: Path) -> None:
    shape = study.Shape(("test",), (1,), sentences=1000)
    kinds = {variant: study.KINDS[variant] for variant in (STAR, BOTH)}
    copies = {f"copy_{k}": (STAR, BOTH)[k % 2] for k in range(43)}
    study.build(tmp_path, kinds, shape)
    study.copy(tmp_path, copies, shape)
    kinds |= {variant: kinds[kind]._replace(title=variant) for variant, kind in copies.items()}
    report = tmp_path / "report"
    report.mkdir()
    made = study.read(tmp_path, kinds, shape)
    write_page(made, read_sets(made), entries(made), report)
    assert (report / "index.html").stat().st_size < 10e6
    page = Page(driver, report / "index.html")
    start = perf_counter()
    page.open(View("test", 500, STAR, BOTH))
    assert perf_counter() - start < 5
    for k in (7, 8):
        start = perf_counter()
        page.choose("#system-b", f"copy_{k}")
        page.wait_for(View("test", 500, STAR, f"copy_{k}"))
        assert perf_counter() - start < 1
    assert chromium.console(driver) == []
