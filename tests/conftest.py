"""What holds for all tests."""

import gc
import os
import signal

from tests.starting import pytest_addoption, pytest_configure  # noqa: F401  hooks of pytest

# While tests are collected nothing is thrown away, and looking for it takes a quarter of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """What is there by now stays: no later search for garbage looks through it."""
    gc.collect()
    gc.freeze()
    gc.enable()


# Threads that wait for others leave the cores to other tests; OpenMP reads it when torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# A shell has what it runs in the background ignore Ctrl-C, and so would the programs that the tests send one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The tests may be run by make, and some of them run make, which would take itself for a part of that one.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)
