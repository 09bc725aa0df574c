"""JSON records that one stage writes and another one reads."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.text import reading


def write_json(path: Path, content: Any) -> None:
    """Write `content` as indented JSON with real characters, atomically."""
    with new_file(path) as handle:
        handle.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def read_json(path: Path) -> Any:
    """The content of a JSON file.

    Raises:
        InputError: missing file, not UTF-8, or not JSON; says where.
    """
    try:
        with reading(path) as handle:
            return json.loads(handle.read().decode())
    except InputError as error:  # of `reading`
        if isinstance(error.__cause__, FileNotFoundError):
            raise InputError(f"{path}: no such file; `make repro` makes it") from error
        raise
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, a number or a nesting beyond what Python reads
        raise InputError(f"{path}: not valid JSON ({error}); delete it and run again") from error


def read_record(path: Path, keys: Iterable[str]) -> dict[str, Any]:
    """The object in a JSON file that an earlier stage wrote.

    Raises:
        InputError: as `read_json`, or the file lacks one of `keys`.
    """
    record = read_json(path)
    missing = [key for key in keys if not isinstance(record, dict) or key not in record]
    if missing:
        raise InputError(f"{path} lacks {', '.join(missing)}; delete it and run `dvc repro`")
    return record
