"""How much is tried: a little, always the same, in the usual suite; much, always new, in `make attack`."""

from hypothesis import HealthCheck, settings

from tests.attack.long import LONG

slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]  # of a loaded machine, and of words that may not be cut
settings.register_profile("short", max_examples=30, derandomize=True, deadline=None, database=None)
settings.register_profile(
    "long", max_examples=300, deadline=None, database=None, print_blob=True, suppress_health_check=slow
)
settings.load_profile("long" if LONG else "short")
