"""What one training came to as one file, `<variant>-<seed>.tar.xz`: small enough for git, always of the same bytes.

Of a system that has no seeds it is `<variant>.tar.xz`, see `stages.releasing.smt`.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.files.errors import InputError
from stages.releasing.archive import Kind, opened, write_archive
from stages.settings.renamed import current

RELEASED = Path("reports") / "released"
RECORD = "released.json"
"""Beside the training record of a system that was trained elsewhere: {"commit", "same_code"}."""
ABOUT = "about.json"
KEYS = ("variant", "seed", "initialised_from", "settings", "text", "pieces", "code", "commit", "translations")
"""What about.json says, see `stages.releasing.about`."""

CURVE = "curve.csv"
OF_TRAINING = ("training.json", CURVE)
ALWAYS = (*OF_TRAINING, "scores.json")
"""Files of all results; beside them are a CSV file of counts a set and, of some, `OF_MODEL` and translations."""
REVERSE_FILE = "reverse.json"
"""{"training", "sums"} as `stages.releasing.reverse` takes it, and "commit" if it was added later."""
READ_OUTS_FILE = "read_outs.json"
"""As the stage `read_outs` writes it for a seed."""
OF_MODEL = (REVERSE_FILE, READ_OUTS_FILE)
"""What only a study that asks for it makes, of the model; it lies beside the training record then."""

KIND = Kind("results", "restore it with git", 2**28)
"""Translations of a test set with their attention have some 2**24 bytes."""


def results_path(corpus: str, direction: str, segmentation: str, variant: str, seed: int | None) -> Path:
    """Where the results of a training lie, from the root of the project; seed: None of a system that has none."""
    name = variant if seed is None else f"{variant}-{seed}"
    return RELEASED / corpus / f"{direction}-{segmentation}" / f"{name}.tar.xz"


def write_results(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write `about` and `files` (name -> content); a name may have `translations/` in front of it.

    Raises:
        OutputError: the disk is full or the folder is not writable; what stood at `path` is as it was.
    """
    content = {ABOUT: (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode()}
    content |= {name: files[name] for name in sorted(files)}
    write_archive(path, content)


def read_about(path: Path) -> dict[str, Any]:
    """What the file says of itself, without reading on. Raises InputError as `read_results`."""
    with opened(path, KIND) as members:
        return _about(path, next(members, ("", b"")))


def read_results(path: Path, always: Sequence[str] = ALWAYS) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What the file says of itself, and its other files (name -> content), those in `always` among them.

    Raises:
        InputError: it is missing, damaged, or holds what `write_results` never writes.
    """
    with opened(path, KIND) as members:
        about, files = _about(path, next(members, ("", b""))), dict(members)
    if missing := [name for name in always if name not in files]:
        raise InputError(f"{path} lacks {', '.join(missing)}; restore it with git")
    return about, files


def _about(path: Path, member: tuple[str, bytes]) -> dict[str, Any]:
    name, data = member
    try:
        about = json.loads(data) if name == ABOUT else None
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or set(about) != set(KEYS):
        raise InputError(f"{path} does not begin with {ABOUT} as `make release` writes it; restore it with git")
    return about | {"settings": current(about["settings"])}
