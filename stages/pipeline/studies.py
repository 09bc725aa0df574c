"""`make studies`: the studies of params.yaml with what each has, and what its trainings took."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.main import run
from stages.files.records import read_json
from stages.files.run_directory import REPORTS
from stages.pipeline.durations import in_words
from stages.pipeline.released import in_git
from stages.pipeline.stopping import stoppable
from stages.settings.params import find, read, validate
from stages.settings.systems import Study
from stages.text.counted import counted

HEADINGS = ("study", "corpus", "systems", "seeds", "train pairs", "its trainings took", "results in git")


class _Report(NamedTuple):
    """The part of a metrics.json that is read here. hours: on "cpu" and "gpu", and the number of "trainings"; pairs:
    of the training text."""

    hours: dict[str, float]
    pairs: int


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    content = read()
    studies = validate(find(content, "studies"), dict[str, Any], "studies")
    rows = [_row_or_error(name, block, content) for name, block in studies.items()]
    for line in _table([HEADINGS, *rows]):
        print(line)
    print("\n*: the one that params.yaml chooses. `make repro STUDY=name` chooses another and runs it; with RELEASED=1")
    print("its report is made of the results in git, and nothing is trained.")


def _row_or_error(name: str, block: Any, content: dict[str, Any]) -> tuple[str, ...]:
    """A cell for each of `HEADINGS`; of a study that is wrong its name, and what is."""
    marked = f"{name}{' *' if name == content.get('study') else ''}"
    try:
        return marked, *_cells(name, validate(block, Study, f"studies.{name}"), content)
    except InputError as error:
        return marked, str(error)


def _cells(name: str, study: Study, content: dict[str, Any]) -> tuple[str, ...]:
    of = f"corpora.{study.corpus}.corpus"
    report, corpus = _report(name), validate(find(content, of), dict[str, Any], of)
    sizes = [report.pairs] if report else [corpus.get("limit"), corpus.get("train")]
    pairs = next((size for size in sizes if isinstance(size, int)), None)
    systems, there = study.neural, len(in_git(study.model_dump()))
    return (
        study.corpus,
        str(len(systems)) + "".join(f" + {one.upper()}" for one in [*study.smt, *study.released_smt]),
        str(len(study.seeds)),
        "all of its text" if pairs is None else f"{pairs:,}",
        _took(report.hours) if report else "no report yet",
        f"{there} of {len(systems)} systems" if there else "–",
    )


def _report(study: str) -> _Report | None:
    path = REPORTS / study / "metrics.json"
    of = {"hours": dict[str, float], "recipe.data.train_pairs.kept": int}
    try:
        document = read_json(path)
        return _Report(*(validate(find(document, key, path), kind, key, path) for key, kind in of.items()))
    except InputError:
        return None


def _took(hours: Mapping[str, float]) -> str:
    """Of all seeds together."""
    times = " + ".join(f"{in_words(3600 * hours[on])} of {on.upper()}" for on in ("cpu", "gpu") if hours.get(on))
    count = hours.get("trainings", 0)
    trainings = counted(round(count), "training")
    return ", ".join(said for said in (trainings if count else "", times) if said)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines. Those with fewer cells than the first widen no column."""
    whole = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()


if __name__ == "__main__":
    stoppable(partial(run, main))
