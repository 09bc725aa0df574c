"""A headless Chromium that Debian's ChromeDriver steers."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

BROWSER, DRIVER = "chromium", "chromedriver"

FLAGS = (
    "--headless",
    "--no-sandbox",  # root, as in a container, has no other choice
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,900",
)


def missing() -> str | None:
    """Why the browser cannot be started; None if it can."""
    absent = [program for program in (BROWSER, DRIVER) if shutil.which(program) is None]
    if not absent:
        return None
    gone = " and ".join(absent)
    return f"no {gone}, so the report page is not tested in a browser: sudo apt install chromium chromium-driver"


@contextmanager
def running(profile: Path) -> Iterator[Chrome]:
    """profile: an empty folder. The browser logs what its console says and what it asks the network for."""
    options = ChromeOptions()
    options.binary_location = shutil.which(BROWSER)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # With the driver named, selenium asks no server for one.
    driver = Chrome(options, ChromeService(shutil.which(DRIVER)))
    try:
        driver.get("about:blank")
        requests(driver)  # of the page that a new window shows
        yield driver
    finally:
        driver.quit()


def console(driver: Chrome) -> list[str]:
    """What the console has said since it was last asked."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requests(driver: Chrome) -> list[str]:
    """The addresses that pages have asked for since this was last asked."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
