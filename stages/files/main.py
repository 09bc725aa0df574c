"""How every stage starts: one clear sentence instead of a traceback when its input is at fault."""

import signal
import sys
from collections.abc import Callable
from pathlib import Path

from stages.files.atomic import OF_THE_DISK, write_error
from stages.files.errors import InputError


def run(main: Callable[[], None]) -> None:
    """Run a stage's ``main``; an ``InputError`` is printed and ends the process with status 1.

    So is a full disk or an unwritable folder that a library ran into; Ctrl-C ends it with one line and status 130.
    """
    try:
        main()
    except InputError as error:
        _end(error)
    except OSError as error:
        if error.errno not in OF_THE_DISK:
            raise
        _end(write_error(Path(error.filename or "."), error))
    except KeyboardInterrupt:
        print("stopped by Ctrl-C", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)


def _end(error: InputError) -> None:
    text = "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in str(error))
    print(f"error: {text}", file=sys.stderr)  # a file that is quoted may hold what a terminal obeys
    sys.exit(1)
