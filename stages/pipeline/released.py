"""Which systems of a study have results in reports/released, and whether its text can be had without long work."""

from collections.abc import Iterator, Mapping
from typing import Any

from stages.releasing.results_file import results_path


def in_git(study: Mapping[str, Any]) -> dict[str, str | None]:
    """Systems of this block of `studies` that have results of all its seeds -> what each was initialised from; one
    whose base has none is left out with it."""
    found: dict[str, str | None] = {}
    for name, base in _systems(study):
        paths = [results_path(study["corpus"], study["direction"], study["segmentation"], name, seed)
                 for seed in study["seeds"]]  # fmt: skip
        if all(path.exists() for path in paths) and (base is None or base in found):
            found[name] = base
    return found


def smt_in_git(study: Mapping[str, Any]) -> list[str]:
    """Those of its `smt` that have results."""
    place = study["corpus"], study["direction"], study["segmentation"]
    return [name for name in study["smt"] if results_path(*place, name, None).exists()]


def _systems(study: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Bases before those that are initialised from them."""
    yield from ((name, None) for name in study["systems"])
    left = {**study["fine_tuned"], **study["decoded"]}
    done = set(study["systems"])
    while ready := [name for name, base in left.items() if base in done]:
        for name in ready:
            done.add(name)
            yield name, left.pop(name)
