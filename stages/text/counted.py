"""Numbers of things, and lists, in words."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, one: str) -> str:
    """``1 system``, ``1,200 systems``. one: the noun, whose plural has an s."""
    return f"{number:,} {one}{'s' * (number != 1)}"
