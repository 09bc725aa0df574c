"""What only `make attack` runs."""

import os

import pytest

LONG = os.environ.get("ATTACK") == "long"
long = pytest.mark.skipif(not LONG, reason="whole runs of a study, some minutes each: make attack")
