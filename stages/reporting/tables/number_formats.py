"""How the numbers of the tables are written."""


def percent(value: float) -> str:
    return f"{value:.2f}"


def four(value: float) -> str:
    """Of a measure on a scale that is not known."""
    return f"{value:.4f}"


def signed(value: float) -> str:
    return f"{value:+.2f}"


def ratio(value: float) -> str:
    return f"{value:.3f}"


def count(value: float) -> str:
    return f"{round(value, 1):,g}" if value < 1e5 else f"{value:,.0f}"


def millions(value: float) -> str:
    return f"{value / 1e6:.2f} M"


def rate(value: float) -> str:
    return f"{value:,.0f}"


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
