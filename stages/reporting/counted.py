"""Numbers of things, in words."""


def counted(number: int, one: str) -> str:
    """`1 system`, `2 systems`. one: the noun, whose plural has an s."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
