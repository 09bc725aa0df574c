"""DVC's command line with a quicker reader of its lock file: `python -m stages.quick_dvc repro …`.

After every stage DVC reads all of dvc.lock, to write it anew, with the parser that keeps comments. It is written in
Python and takes seconds for a study of fifty systems. A lock file has no comments, so the parser in C serves it.
"""

import sys
from pathlib import Path

from dvc.cli import main
from dvc.utils.serialize import _yaml


def parse_for_update(text: str, path: str, keeping_comments=_yaml.parse_yaml_for_update) -> dict:
    """What the file says, to be changed and written again."""
    return _yaml.parse_yaml(text, path) if Path(path).suffix == ".lock" else keeping_comments(text, path)


if __name__ == "__main__":
    _yaml.parse_yaml_for_update = parse_for_update
    sys.exit(main())
