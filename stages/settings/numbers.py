"""Numbers as settings have them: finite, in a range, and never true or false."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, GroupedMetadata, Gt, Le, Lt
from pydantic import AllowInfNan, BeforeValidator


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"a number is wanted, not {str(value).lower()}")
    return value


Number = BeforeValidator(_no_boolean)
"""Says of an ``int`` or ``float`` that booleans, which Python takes for 0 and 1, are none."""

BOUNDS: dict[str, Callable[[float], Any]] = {"gt": Gt, "ge": Ge, "lt": Lt, "le": Le}


@dataclass(frozen=True)
class Limits(GroupedMetadata):
    """Of an annotated ``int`` or ``float``: several things that pydantic is to hold it to."""

    parts: tuple[Any, ...]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)


def whole(least: int, most: int) -> Limits:
    """Whole numbers from ``least`` to ``most``, both included: ``Annotated[int, whole(1, 9)]``."""
    return Limits((Gt(0) if least == 1 else Ge(least), Le(most), Number))


def real(**bounds: float) -> Limits:
    """Finite numbers within ``gt``, ``ge``, ``lt``, ``le``: ``Annotated[float, real(gt=0)]``."""
    return Limits((*(BOUNDS[name](bound) for name, bound in bounds.items()), AllowInfNan(False), Number))


Width = Annotated[int, whole(1, 1 << 16)]
"""Of a layer: a square matrix of that width has 16 GiB."""
Share = Annotated[float, real(ge=0, lt=1)]
"""Of dropout and of probabilities: 1 would leave nothing."""
Threads = Annotated[int, whole(1, 1024)]
"""How many of them a machine takes, `stages.settings.machine` says."""
