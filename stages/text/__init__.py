"""Words and their pieces."""
