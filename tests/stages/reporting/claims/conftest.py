"""The made-up study of which claims are judged."""

from tests.stages.reporting.claims.made_up import study  # noqa: F401
