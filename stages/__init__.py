"""The stages of the pipeline, and the packages that they stand on.

Plain `dvc repro` starts the `python` that is on PATH, which is another one where .venv is not activated.
"""

import sys
from importlib.util import find_spec

if find_spec("fairseq") is None:
    sys.exit(
        f"error: {sys.executable} lacks the packages of this project; call `source .venv/bin/activate` and run again "
        "(`make setup` makes .venv)"
    )
