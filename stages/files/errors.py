"""The one exception for what a user can put right."""


class InputError(ValueError):
    """Input, settings or a machine that a user can put right. The message names file, line and remedy."""


class OutputError(InputError):
    """A full disk, or a folder that cannot be written."""
