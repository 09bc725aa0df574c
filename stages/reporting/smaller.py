"""The report of the same study on less training text, and whether it can be held beside this one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError

Document = Mapping[str, Any]
"""What a metrics.json says, see `summary.metrics_document`."""


class Smaller(NamedTuple):
    """path: its metrics.json; larger: that of this report; document: what the first says, None if it is not there.

    compared: what its comparisons.json says, None if that is not at hand.
    """

    path: Path
    larger: Path
    document: Document | None
    compared: Document | None = None

    @property
    def corpus(self) -> str:
        """Whose report it is."""
        return self.path.parent.name


def check(smaller: Smaller, document: Document) -> None:
    """Raise InputError, naming both files, unless both reports measure in the same way on the same sets.

    document: of this report; that of the smaller one must be there."""
    found = list(_differences(smaller.document["recipe"], document["recipe"]))
    if found:
        raise InputError(
            f"{smaller.path} and {smaller.larger} do not compare: {'; '.join(found)}. Make both reports alike, or set "
            f"corpora.{smaller.larger.parent.name}.report.smaller to null in params.yaml"
        )


def tested_alike(smaller: Smaller, document: Document) -> bool:
    """Whether the marks of both reports are at hand and mean the same: one baseline, the same rivals, one test.

    document: of this report; that of the smaller one must be there."""
    if smaller.compared is None:
        return False
    # A report of an older version may not say it.
    return smaller.document["recipe"].get("differences") == document["recipe"]["differences"]


def training_pairs(document: Document) -> int:
    return document["recipe"]["data"]["sets"]["train"]["pairs"]


def _differences(smaller: Mapping[str, Any], larger: Mapping[str, Any]) -> Iterator[str]:
    """Between two recipes."""
    for key, name in {"direction": "direction", "segmentation": "segmentation", "bleu": "BLEU signature"}.items():
        values = [recipe.get(key, "not the same for all systems") for recipe in (smaller, larger)]
        if values[0] != values[1]:
            yield f"{name}: {values[0]}, {values[1]}"
    tests, others = smaller["data"]["tests"], larger["data"]["tests"]
    if tests != others:
        yield f"test sets: {', '.join(tests)}; {', '.join(others)}"
    yield from _sets(smaller["data"]["sets"], larger["data"]["sets"])
    sizes = [recipe["data"]["sets"]["train"]["pairs"] for recipe in (smaller, larger)]
    if sizes[0] >= sizes[1]:
        yield f"training pairs: {sizes[0]:,} are not fewer than {sizes[1]:,}"


def _sets(smaller: Mapping[str, Any], larger: Mapping[str, Any]) -> Iterator[str]:
    """Of the sets that both have, without train."""
    for name in (name for name in larger if name in smaller and name != "train"):
        for count, what in {"pairs": "sentences", "tokens": "words"}.items():
            if smaller[name][count] != larger[name][count]:
                yield f"{what} of {name}: {_written(smaller[name][count])}, {_written(larger[name][count])}"
                break


def _written(count: int | Mapping[str, int]) -> str:
    """A number, or one a language."""
    if isinstance(count, int):
        return f"{count:,}"
    return " and ".join(f"{number:,} {language}" for language, number in count.items())
