"""What git says of a repository."""

import os
import subprocess
from pathlib import Path

from stages.files.errors import InputError

CODE = ("stages", "fairseq_plugins", "dvc.yaml")
"""What the commit that a result names must have as it stands."""


def git(*arguments: str, folder: Path = Path()) -> str:
    """The answer without its last line end. Raises InputError where it says an error, or is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True)
    except FileNotFoundError as error:
        raise InputError(f"git does not say what is committed here: {error.filename} is missing") from None
    if done.returncode:
        raise InputError(f"git does not say what is committed here: {os.fsdecode(done.stderr).strip()}")
    return os.fsdecode(done.stdout).rstrip("\n")
