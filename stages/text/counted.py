"""Numbers of things, in words."""


def counted(number: int, one: str) -> str:
    """``1 system``, ``1,200 systems``. one: the noun, whose plural has an s."""
    return f"{number:,} {one}{'s' * (number != 1)}"
