"""Numbers as settings have them: finite, in a range, and never true or false."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"a number is wanted, not {str(value).lower()}")
    return value


Number = BeforeValidator(_no_boolean)
"""Says of an ``int`` or ``float`` that booleans, which Python takes for 0 and 1, are none."""


def whole(least: int, most: int) -> Any:
    """The type of whole numbers from ``least`` to ``most``, both included."""
    bound = {"gt": 0} if least == 1 else {"ge": least}
    return Annotated[int, Field(**bound, le=most), Number]


def real(**bounds: float) -> Any:
    """The type of finite numbers within ``bounds``: pydantic's ``gt``, ``ge``, ``lt``, ``le``."""
    return Annotated[float, Field(**bounds, allow_inf_nan=False), Number]


Width = whole(1, 1 << 16)
"""Of a layer: a square matrix of that width has 16 GiB."""
Share = real(ge=0, lt=1)
"""Of dropout and of probabilities: 1 would leave nothing."""
Threads = whole(1, 1024)
"""How many of them a machine takes, `stages.settings.machine` says."""
