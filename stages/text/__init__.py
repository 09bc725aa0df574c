"""Words, their pieces and the marks among them, without any file."""
