"""The report page as a reader uses it: what can be chosen, and what is to be seen then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from selenium.common import StaleElementReferenceException, TimeoutException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 20
"""Seconds until something must have happened."""

SIDES = ("a", "b")


class View(NamedTuple):
    """What `section#detail` shows: the sentence `row` (from 0) of a set, by the systems `a` and `b`."""

    set: str
    row: int
    a: str
    b: str


class Page:
    def __init__(self, driver: Chrome, file: Path) -> None:
        self.driver = driver
        self.address = file.resolve().as_uri()

    def load(self, fragment: str) -> None:
        """Load the page anew with that fragment, and wait until it is usable."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}#{fragment}")
        self.until(lambda: self.find("body").get_attribute("data-ready") == "true")

    def open(self, view: View, **others: object) -> None:
        """Load the page anew by a link to `view`, with other parts of the choice."""
        self.load(urlencode(view._asdict() | others))

    def follow(self, view: View, **others: object) -> None:
        """Follow such a link on the page that is loaded."""
        self.run("location.hash = arguments[0]", urlencode(view._asdict() | others))
        self.wait_for(view)

    def until(self, done: Callable[[], object]) -> None:
        """What is drawn anew while it is looked at is looked for again."""
        drawn_anew = [StaleElementReferenceException]
        WebDriverWait(self.driver, PATIENCE, 0.02, drawn_anew).until(lambda _: done())

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def sort_table(self, index: int, column: int) -> tuple[str | None, list[str]]:
        """Press a heading of a sortable table: the order it says it is in, and the texts of the column."""
        return self.run(
            """
            const table = document.querySelectorAll("table.sortable")[arguments[0]];
            const heading = table.tHead.rows[0].cells[arguments[1]];
            heading.querySelector("button").click();
            const texts = [...table.tBodies[0].rows].map(row => row.cells[arguments[1]].textContent);
            return [heading.getAttribute("aria-sort"), texts];
            """,
            index,
            column,
        )

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def keys(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_back(self) -> None:
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()

    def hover(self, element: WebElement) -> None:
        self.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", element)
        ActionChains(self.driver, duration=0).move_to_element(element).perform()

    # What a reader chooses

    def choose(self, control: str, value: str) -> None:
        """With the two events of a person's choice; the driver's own click on an option has only the second."""
        self.run(
            "const control = document.querySelector(arguments[0]);"
            "control.value = arguments[1];"
            "for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, {bubbles: true}))",
            control,
            value,
        )

    def write(self, control: str, text: str) -> None:
        field = self.find(control)
        field.clear()
        field.send_keys(text)

    def click_sentence(self, row: int) -> None:
        def clicked() -> bool:
            self.find(f"#sentences button[data-row='{row}']").click()
            return True

        self.until(clicked)

    # What a reader sees

    def view(self) -> View | None:
        """None until something is drawn."""
        shown = self.find("section#detail").get_attribute("data-shown")
        if not shown:
            return None
        name, row, a, b = shown.split("/")
        return View(name, int(row), a, b)

    def wait_for(self, view: View) -> None:
        self.until(lambda: self.view() == view)

    def rows(self) -> list[int]:
        """The sentences listed, in their order."""
        script = "return [...document.querySelectorAll('#sentences > li > button[data-row]')].map(b => +b.dataset.row)"
        return self.run(script)

    def wait_for_rows(self, rows: list[int]) -> None:
        """Wait until just these are listed; fails with what is listed instead."""
        with suppress(TimeoutException):
            self.until(lambda: self.rows() == rows)
        assert self.rows() == rows

    def marked(self, side: str, mark: str) -> list[int]:
        """Positions of the source words with a mark, in the copy of a side."""
        classes = self.run(
            "return [...document.querySelectorAll(arguments[0])].map(e => [...e.classList])", f"#source-{side} .word"
        )
        return [k for k, names in enumerate(classes) if mark in names]

    def cells(self, side: str) -> dict[tuple[int, int], tuple[str, list[str]]]:
        """(target word, source word) -> (what the cell says of itself, its classes)."""
        found = self.run(
            "return [...document.querySelectorAll(arguments[0])].map("
            "c => [+c.dataset.t, +c.dataset.s, c.title || c.getAttribute('aria-label'), [...c.classList]])",
            f"table.heat[data-side={side}] td[data-t][data-s]",
        )
        return {(t, s): (label, classes) for t, s, label, classes in found}

    def uncovered(self, element: WebElement) -> bool:
        """Whether its middle is in sight with nothing above it."""
        return self.run(
            "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
            "return arguments[0].contains(document.elementFromPoint(x + width / 2, y + height / 2))",
            element,
        )

    def style(self, selector: str, name: str, pseudo: str | None = None) -> str:
        """What is computed for the first element of `selector`, or a part of it such as ::after."""
        script = "return getComputedStyle(document.querySelector(arguments[0]), arguments[2])[arguments[1]]"
        return self.run(script, selector, name, pseudo)

    def focused(self) -> WebElement:
        return self.driver.switch_to.active_element

    @contextmanager
    def tab(self) -> Iterator[None]:
        """While it is open, what is done is done in another tab."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)

    @contextmanager
    def screen(self, width: int, height: int) -> Iterator[None]:
        """While it is open, the page is on a phone of that size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    @contextmanager
    def media(self, kind: str, scheme: str) -> Iterator[None]:
        """While it is open, the page is on a `screen` or in `print`, and the reader prefers a `light` or `dark` one."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
