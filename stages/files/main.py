"""How every stage starts: what its command line says, and one clear sentence where its input is at fault."""

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
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


RUN = ("corpus", "direction", "segmentation")
"""What the command of a stage names that works in ``work/<corpus>/<direction>-<segmentation>``."""
MEANING = {
    "study": "its name in params.yaml",
    "corpus": "its name below `corpora` in params.yaml",
    "direction": "forward or reverse",
    "segmentation": "bpe or words",
    "variant": "its name below `variants` in params.yaml",
    "smaller": "the study on less training text",
}


def arguments(
    about: str | None, *names: str, flags: Sequence[str] = (), given: Sequence[str] | None = None
) -> argparse.Namespace:
    """What a stage's command says: `names`, each with a value, and `flags`. Paths follow from the names.

    about: the docstring of the stage; given: the command line unless it is that of the process.
    """
    parser = argparse.ArgumentParser(description=about)
    for name in names:
        parser.add_argument(f"--{name}", required=True, type=int if name == "seed" else str, help=MEANING.get(name))
    for name in flags:
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args(given)


def _end(error: InputError) -> None:
    text = "".join(one if one.isprintable() or one == "\n" else ascii(one)[1:-1] for one in str(error))
    print(f"error: {text}", file=sys.stderr)  # a file that is quoted may hold what a terminal obeys
    sys.exit(1)
