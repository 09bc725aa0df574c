"""Stage `smaller`: the report of the same study on less training text, if params.yaml names one and it was made.

DVC refuses a dependency that may be missing. So this stage depends on no report: it runs each time and takes what it
finds, and the report stage depends on what it took. As long as that is the same, nothing else runs.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.main import run
from stages.files.records import read_record, write_json
from stages.settings.params import PARAMS, find, read, section
from stages.settings.report import ReportSettings


class Taken(NamedTuple):
    """What the stage writes: the contents of metrics.json and of comparisons.json, None for one that is not there."""

    metrics: dict[str, Any] | None
    comparisons: dict[str, Any] | None


NOTHING = Taken(None, None)


def smaller_report(corpus: str, reports: Path) -> Path | None:
    """metrics.json of the report that `corpora.<corpus>.report.smaller` names, there or not; None if it names none.

    Raises:
        InputError: it names the corpus itself, or one that params.yaml does not have.
    """
    name = section(f"corpora.{corpus}.report", ReportSettings).smaller
    if name is None:
        return None
    if name == corpus:
        raise InputError(f"{PARAMS}: corpora.{corpus}.report.smaller: name another corpus, or null")
    find(read(), f"corpora.{name}")
    return reports / name / "metrics.json"


def _taken(path: Path) -> Taken:
    """From the folder of its metrics.json, there or not; raises InputError if a file is there and is damaged."""
    if not path.exists():
        return NOTHING
    compared = path.with_name("comparisons.json")
    return Taken(
        read_record(path, ("systems", "recipe")),
        read_record(compared, ("settings", "sets")) if compared.exists() else None,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="name below `corpora` in params.yaml")
    parser.add_argument("--reports", type=Path, required=True, help="folder of all reports, one a corpus")
    parser.add_argument("--out", type=Path, required=True, help="gets metrics.json and comparisons.json of that report")
    args = parser.parse_args()
    path = smaller_report(args.corpus, args.reports)
    taken = _taken(path) if path else NOTHING
    write_json(args.out, taken._asdict())
    print(f"{args.out}: {path if taken.metrics else 'no report of less training text'}")


if __name__ == "__main__":
    run(main)
