"""Numbers of things in sentences."""


def counted(count: int, what: str) -> str:
    """``1 stage``, ``2 stages``."""
    return f"{count:,} {what}{'s' * (count != 1)}"
