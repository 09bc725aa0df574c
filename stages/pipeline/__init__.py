"""The runner, the code manifest, and what DVC needs to be quick."""
