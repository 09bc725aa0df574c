"""A command in a child that has torch and fairseq imported already: most of the time of a short one is that."""

import logging
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable

import torch

from fairseq_plugins import compat


def forked(main: Callable[[list[str]], int], *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What ``main`` prints and returns, as if it were a program."""
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(stdin)
        given.seek(0)
        child = os.fork()
        if child == 0:
            for number, stream in enumerate((given, out, err)):
                os.dup2(stream.fileno(), number)
            os._exit(_status(main, list(arguments)))
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(arguments, os.waitstatus_to_exitcode(status), out.read(), err.read())


def _status(main: Callable[[list[str]], int], arguments: list[str]) -> int:
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w", buffering=1), os.fdopen(2, "w", buffering=1)
    torch.set_num_threads(1)  # threads do not outlive a fork
    for name in [None, *logging.root.manager.loggerDict]:  # of trainings in this process before
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.NOTSET)
    for name in [name for name in sys.modules if name.startswith("fairseq_cli.")]:
        del sys.modules[name]  # they begin to log when they are imported
    try:
        with warnings.catch_warnings():
            _warn_as_a_program_does()
            status = main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _warn_as_a_program_does() -> None:
    """Without pytest's filters of warnings, with Python's own and ours."""
    warnings.resetwarnings()
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category)
    compat._silence_noise()
