"""Tapes, which stand in for CUDA graphs."""

from tests.helpers.tapes import tapes  # noqa: F401
