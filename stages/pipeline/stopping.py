"""Ctrl-C and its like: one line and an exit status, whatever was under way."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from stages.files.leaving import leave

ASKED = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}
"""Signals that ask a run to stop, as they are called in its last line."""


class Stopped(BaseException):
    """Raised in the main thread when a signal asks to stop; like KeyboardInterrupt, no error of anybody."""

    def __init__(self, number: int) -> None:
        super().__init__(ASKED[signal.Signals(number)])
        self.number = number


class _State:
    """held: whether signals have to wait; caught: one that does."""

    held = False
    caught: int | None = None


@contextmanager
def held() -> Iterator[None]:
    """Let a signal wait until the end of the body, which takes a second at most."""
    _State.held = True
    try:
        yield
    finally:
        _State.held = False
    if _State.caught is not None:
        raise Stopped(_State.caught)


def stoppable(main: Callable[[], None]) -> None:
    """Run `main` in a process that signals stop with one line; the exit status is the shell's, 128 and the signal.

    A second signal is not heard: what a run does about the first takes seconds at most.
    """
    for number in ASKED:
        if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
            signal.signal(number, _stop)
    sys.unraisablehook = _ignored
    try:
        main()
        sys.stdout.flush()
    except Stopped as stopped:
        status, last_line = 128 + stopped.number, _said(stopped)
    except BrokenPipeError:  # who read along is gone
        status, last_line = 128 + signal.SIGPIPE, ""
    except BaseException as error:
        if isinstance(error, SystemExit) or _State.caught is None:
            raise
        status, last_line = 128 + _State.caught, _said(Stopped(_State.caught))  # a library made another error of it
    else:
        return
    leave(status, last_line)


def _said(stopped: Stopped) -> str:
    return f"stopped by {stopped}; run again to go on from there"


def _stop(number: int, frame: FrameType | None) -> None:
    for other in ASKED:
        signal.signal(other, signal.SIG_IGN)
    _State.caught = number
    if not _State.held:
        raise Stopped(number)


AGAIN = 0.01
"""Seconds until an exception that Python had to ignore is raised again."""


def _ignored(what: "sys.UnraisableHookArgs") -> None:
    """An exception in a destructor, or below code in another language, is printed and forgotten: not this one.

    Others are not worth a word once a signal came: they are of what it left half-built, as DVC's progress bars.
    """
    if isinstance(what.exc_value, Stopped):
        signal.signal(signal.SIGALRM, _raise)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
    elif _State.caught is None:
        sys.__unraisablehook__(what)


def _raise(number: int, frame: FrameType | None) -> None:
    if not _State.held and _State.caught is not None:
        raise Stopped(_State.caught)
