"""A small study, and its page as Python writes it."""

from tests.stages.reporting.page.written import small, written  # noqa: F401
