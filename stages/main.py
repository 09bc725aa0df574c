"""How every stage starts: one clear sentence instead of a traceback when its input is at fault."""

import sys
from collections.abc import Callable

from stages.errors import InputError


def run(main: Callable[[], None]) -> None:
    """Run a stage's ``main``; an ``InputError`` is printed and ends the process with status 1."""
    try:
        main()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
