"""The list of sentences, the controls and the address of the page, in a browser."""

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import chromium, crafted
from tests.helpers.browser.example import BOTH, HOSTILE, SHAPE, SILENT, STAR, TITLES
from tests.helpers.browser.page import Page, View

pytestmark = pytest.mark.browser

if missing := chromium.missing():
    pytest.skip(missing, allow_module_level=True)

pytest_plugins = "tests.helpers.browser.fixtures"

LAST = SHAPE.sentences - 1
NAMES = {
    "set": "Set",
    "system-a": "System A",
    "system-b": "System B",
    "search": "Search",
    "min-length": "Source words, at least",
    "max-length": "Source words, at most",
    "sort": "Sort by",
    "previous": "Previous sentence of the list",
    "next": "Next sentence of the list",
}


# The list


def test_sentences_without_a_difference_come_last(by_hand: Page) -> None:
    by_hand.choose("#sort", "bleu")
    by_hand.wait_for_rows(crafted.BY_BLEU)
    a, b = ([("–" if value is None else f"{value:.1f}") for value in crafted.BLEU[side]] for side in "ab")
    notes = [f"A {a[k]} · B {b[k]}" if "–" not in (a[k], b[k]) else "–" for k in crafted.BY_BLEU]
    assert by_hand.texts("#sentences .note") == notes
    assert by_hand.texts("#sentences .number") == [str(k + 1) for k in crafted.BY_BLEU]
    by_hand.choose("#sort", "length")
    by_hand.until(lambda: set(by_hand.texts("#sentences .note")) == {"2 words"})


@pytest.mark.parametrize(
    "word", [crafted.ONLY_B, crafted.SECOND, f"  {crafted.SECOND} "], ids=["of B", "of the second", "between spaces"]
)
def test_search_in_every_text(by_hand: Page, word: str) -> None:
    by_hand.write("#search", word)
    by_hand.wait_for_rows(list(range(1, len(crafted.CASES))))


def test_the_sentence_shown_is_in_sight_in_the_list(page: Page) -> None:
    page.open(View("test", LAST, STAR, BOTH))
    in_sight = """
        const [list, button] = ["#sentences", "#sentences [aria-current]"].map(one => document.querySelector(one));
        const [outer, inner] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
        return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        """
    assert page.run("const list = document.querySelector('#sentences'); return list.scrollHeight > list.clientHeight")
    assert page.run(in_sight)
    page.follow(View("test", 0, STAR, BOTH))
    assert page.run(in_sight)


def test_the_list_is_one_stop_of_the_tabulator(page: Page) -> None:
    """The sentence shown, or the first where it is not listed."""
    stops = "return [...document.querySelectorAll(\"#sentences [tabindex='0']\")].map(e => +e.dataset.row)"
    page.open(View("test", 5, STAR, BOTH))
    assert page.run(stops) == [5]
    page.follow(View("test", 6, STAR, BOTH))
    assert page.run(stops) == [6]
    page.write("#search", "alert(4)")
    page.wait_for_rows([0])
    page.until(lambda: page.run(stops) == [0])


def test_the_list_is_walked_with_keys(page: Page) -> None:
    page.open(View("test", 2, BOTH, STAR))
    page.run("document.querySelector('#sentences [aria-current]').focus()")
    page.run("document.querySelector('#sentences button').kept = true")
    for key, row in (
        (Keys.ARROW_DOWN, 3),
        (Keys.ARROW_UP, 2),
        (Keys.END, LAST),
        (Keys.ARROW_DOWN, LAST),
        (Keys.HOME, 0),
        (Keys.ARROW_UP, 0),
    ):
        page.keys(key)
        page.wait_for(View("test", row, BOTH, STAR))
        assert page.focused().get_attribute("data-row") == str(row)
    assert page.run("return document.querySelector('#sentences button').kept")  # it was not built anew


def test_buttons_go_through_the_list_in_its_order(page: Page) -> None:
    page.open(View("test", 0, STAR, BOTH), sort="bleu")
    rows = page.rows()
    page.click_sentence(rows[1])
    page.wait_for(View("test", rows[1], STAR, BOTH))
    for button, place in (("next", 2), ("previous", 1), ("previous", 0), ("previous", 0)):
        page.find(f"#{button}").click()
        page.wait_for(View("test", rows[place], STAR, BOTH))
    page.click_sentence(rows[LAST])
    page.wait_for(View("test", rows[LAST], STAR, BOTH))
    page.find("#next").click()
    page.wait_for(View("test", rows[LAST], STAR, BOTH))


def test_buttons_lead_back_to_a_list_without_the_sentence_shown(page: Page) -> None:
    for button in ("previous", "next"):
        page.open(View("test", 5, STAR, BOTH), q="alert(4)")
        assert page.rows() == [0]
        page.find(f"#{button}").click()
        page.wait_for(View("test", 0, STAR, BOTH))


# The controls


def test_controls_have_names(page: Page) -> None:
    page.load("")
    assert {name: page.find(f"#{name}").accessible_name for name in NAMES} == NAMES
    assert page.find("#count").aria_role == "status"
    sorts = ["position", "length", "bleu", "aer", "over-translation"]
    assert page.run("return [...document.querySelectorAll('#sort option')].map(e => e.value)") == sorts


def test_controls_say_what_is_chosen(page: Page) -> None:
    page.open(View("test2", 3, BOTH, HOSTILE), sort="bleu")
    shown = [page.find(f"#{name}").get_attribute("value") for name in ("set", "system-a", "system-b", "sort")]
    assert shown == ["test2", BOTH, HOSTILE, "bleu"]


def test_each_set_says_what_it_is(page: Page) -> None:
    page.open(View("test", 1, STAR, BOTH))
    assert page.find("#about").text.startswith("Each system's own translations of the test set.")
    page.follow(View("gold", 1, STAR, BOTH))
    assert page.find("#about").text.startswith("Forced decoding of the gold set")
    assert page.find("#about").text.endswith("Seed 1; weights to the nearest 0.01.")


def test_another_set_begins_at_its_first_sentence(page: Page) -> None:
    page.open(View("test", 5, STAR, BOTH), sort="over-translation")
    page.choose("#set", "gold")
    page.wait_for(View("gold", 0, STAR, BOTH))
    assert page.find("#sort").get_attribute("value") == "position"  # over-translation is not known there


def test_a_later_choice_overtakes_an_earlier_one(page: Page) -> None:
    """Although what the earlier one asks for is opened afterwards: it is never shown."""
    page.open(View("test", 3, STAR, BOTH))
    page.run(
        """
        const [control, shown] = ["#system-b", "#translation-b"].map((one) => document.querySelector(one));
        const written = ({ addedNodes }) => [...addedNodes].map((node) => node.textContent).join("");
        const see = (changes) => window.seen.push(...changes.map(written));
        window.seen = [];
        new MutationObserver(see).observe(shown, { childList: true });
        (async () => {
          for (const name of arguments) {
            control.value = name;
            control.dispatchEvent(new Event("change", { bubbles: true }));
            for (let step = 0; step < 20; step += 1) await null;  // the page has asked for it, and not got it
          }
        })();
        """,
        HOSTILE,
        BOTH,
    )
    page.choose("#system-a", HOSTILE)
    page.wait_for(View("test", 3, HOSTILE, BOTH))
    seen = set(page.run("return window.seen"))
    assert seen == set(page.texts("#translation-b"))


def test_enter_in_the_search_stays_on_the_page(page: Page) -> None:
    page.open(View("test", 1, STAR, BOTH))
    page.run("document.body.dataset.kept = 'yes'")
    page.write("#search", f"词{Keys.ENTER}")
    page.until(lambda: page.find("#count").text.startswith(f"{LAST} of"))  # all but the hostile one
    assert page.find("body").get_attribute("data-kept") == "yes"


# The address


def test_going_through_sentences_leaves_no_trail(page: Page) -> None:
    """In a tab of its own, for the history of a tab has an end."""
    with page.tab():
        page.open(View("test", 1, STAR, BOTH))
        before = page.run("return history.length")
        for _ in range(3):
            page.find("#next").click()
        page.wait_for(View("test", 4, STAR, BOTH))
        assert page.run("return history.length") == before


def test_link_names_all_that_is_chosen(page: Page) -> None:
    link = {"sort": "bleu", "q": "词1", "min": "4", "max": "20"}
    page.open(View("test", 3, BOTH, STAR), **link)
    written = page.run("return [...new URLSearchParams(location.hash.slice(1))]")
    assert dict(written) == {"set": "test", "a": BOTH, "b": STAR, "row": "3", **link}
    shown = [page.find(f"#{name}").get_attribute("value") for name in ("sort", "search", "min-length", "max-length")]
    assert shown == list(link.values())
    page.write("#max-length", "9")
    page.until(lambda: "max=9" in page.run("return location.hash"))


def test_what_a_link_names_wrongly_is_as_at_first(page: Page) -> None:
    page.load("")
    first = page.view()
    page.load(f"set=none&a=none&b={SILENT}&row=99999&sort=aer")
    assert page.view() == first._replace(b=SILENT)
    assert page.find("#sort").get_attribute("value") == "position"
    assert first.set == "test" and first.row == 0 and first.a == next(iter(TITLES))
