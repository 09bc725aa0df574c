"""What a process that a test starts does about signals."""

import signal


def hear_signals() -> None:
    """Tests that run in the background, or under nohup, hand it down that these are ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
