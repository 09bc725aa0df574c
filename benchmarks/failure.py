"""Why something could not be measured."""


def reason(error: BaseException) -> str:
    """One line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"
