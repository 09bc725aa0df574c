"""How much hypothesis tries: a little and always the same in the usual suite, much and something new in `make attack`."""

import os

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]  # of a loaded machine, and of words that may not be cut
settings.register_profile("short", max_examples=30, derandomize=True, deadline=None, database=None)
settings.register_profile(
    "long", max_examples=1000, deadline=None, database=None, print_blob=True, suppress_health_check=slow
)
settings.load_profile("long" if os.environ.get("ATTACK") == "long" else "short")
