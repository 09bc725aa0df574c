"""Public Chinese-English text, a publication a file: what it is, where it comes from, and how its files are read."""
