"""Text that a spreadsheet would take for a formula, and run, when it opens a CSV file."""

from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """A cell with an apostrophe before text that begins like a formula; numbers, also written ones, are left alone.

    Titles are a user's, words are those of a corpus. (OWASP, "CSV Injection".)
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or _is_number(value):
        return value
    return f"'{value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()
