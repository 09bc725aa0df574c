"""The end of a process that has been told to stop."""

import os
import sys
from typing import NoReturn


def leave(status: int, last_line: str) -> NoReturn:
    """Without the tracebacks of threads, and of streams that nobody reads any more."""
    try:
        print(last_line, file=sys.stderr, flush=True, end="\n" if last_line else "")
        sys.stdout.flush()
    finally:
        os._exit(status)
