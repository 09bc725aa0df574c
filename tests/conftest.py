"""What holds for all tests."""

import signal

# A shell has what it runs in the background ignore Ctrl-C, and so would the programs that the tests send one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
