"""The reports of two studies that differ in how much text they were trained on, and whether they can be compared."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.reporting.metrics import Document
from stages.reporting.outputs import METRICS

KEYS = ("systems", "recipe", "marks")


class StudyMetrics(NamedTuple):
    """metrics.json of a study: where it lies, and what it says."""

    study: str
    path: Path
    document: Document

    @property
    def training_pairs(self) -> int:
        return self.document["recipe"]["data"]["sets"]["train"]["pairs"]


def read_study_metrics(reports: Path, study: str) -> StudyMetrics:
    """Raises InputError if the report is not there or damaged, or of a version without marks of significance."""
    path = reports / study / METRICS
    if not path.exists():
        raise InputError(
            f"{path} is missing: study {study} has no report yet; choose it in params.yaml (`<<: *{study}`), run "
            "`make repro`, then choose this study again"
        )
    return StudyMetrics(study, path, read_record(path, KEYS))


def check(smaller: StudyMetrics, larger: StudyMetrics) -> None:
    """Raise InputError, naming both files, unless both reports measure in the same way on the same sets."""
    found = list(_differences(smaller.document["recipe"], larger.document["recipe"]))
    if found:
        raise InputError(
            f"{smaller.path} and {larger.path} do not compare: {'; '.join(found)}. Make both reports alike, or take "
            f"{smaller.study} off `training_sizes` of study {larger.study} in params.yaml"
        )


def tested_alike(smaller: StudyMetrics, larger: StudyMetrics) -> bool:
    """Whether the marks of both reports mean the same: one baseline, the same rivals, one test."""
    return smaller.document["recipe"]["differences"] == larger.document["recipe"]["differences"]


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
                yield f"{what} of {name}: {_counts_text(smaller[name][count])}, {_counts_text(larger[name][count])}"
                break


def _counts_text(count: int | Mapping[str, int]) -> str:
    """A number, or one a language."""
    if isinstance(count, int):
        return f"{count:,}"
    return " and ".join(f"{number:,} {language}" for language, number in count.items())
