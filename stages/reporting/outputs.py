"""What a report is made of, who keeps it, and how a new one takes the place of the last."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stages.files.atomic import new_folder, remove, write_error

PAGE, METRICS, SUMMARY, CURVES = "README.md", "metrics.json", "summary.json", "learning_curves.csv"
EXAMPLES, TABLES, FIGURES = "examples.md", "tables", "figures"
BROWSER_PAGE, COMPARISONS, LATEX, VECTOR = "index.html", "comparisons.json", "latex", "vector"

IN_GIT = (PAGE, METRICS, SUMMARY, CURVES, EXAMPLES, TABLES, FIGURES, BROWSER_PAGE)
"""What a reader of the repository sees; `figures` holds every figure, each as one small file."""

CACHED = (COMPARISONS, LATEX, VECTOR)
"""What DVC keeps: large, or made from the rest; `vector` holds every figure for print."""

OUTPUTS = (*IN_GIT, *CACHED)


@contextmanager
def new_outputs(out: Path) -> Iterator[Path]:
    """Yield an empty folder beside `out`; when the body ends without an error, each of `OUTPUTS` moves to `out`.

    There it takes the place of the last one; what else stands in `out` stays. After an error, in the body or while they
    move, `out` is as it was.

    Raises:
        OutputError: the disk is full or a folder is not writable.
        ValueError: the body has written anything but `OUTPUTS`.
    """
    made, last, done = (out.with_name(f".{out.name}.{word}") for word in ("made", "last", "done"))
    if last.exists():  # a run was killed while it moved them
        _put_back(last, out)
    for rest in (made, done):  # or before they moved, or when they had
        remove(rest)
    with new_folder(made) as folder:
        yield folder
        if odd := {path.name for path in folder.iterdir()} ^ set(OUTPUTS):
            raise ValueError(f"the report must have all of its outputs and no others, but for {', '.join(sorted(odd))}")
    try:
        _replace(made, out, last)
        remove(last.rename(done))  # from the renaming on, the new report is the one to keep
    except OSError as error:
        raise write_error(out, error) from error
    finally:
        remove(made)


def _replace(made: Path, out: Path, last: Path) -> None:
    """Move what is in `made` to `out`; until all of it is there, `last` keeps what stood in its places."""
    out.mkdir(parents=True, exist_ok=True)
    last.mkdir()
    try:
        for name in OUTPUTS:
            if (out / name).exists():
                (out / name).rename(last / name)
            (made / name).rename(out / name)
    except BaseException:
        for name in OUTPUTS:
            if not (made / name).exists():
                remove(out / name)
        _put_back(last, out)
        raise


def _put_back(last: Path, out: Path) -> None:
    for path in last.iterdir():
        remove(out / path.name)
        path.rename(out / path.name)
    last.rmdir()
