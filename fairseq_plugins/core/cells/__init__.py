"""The decoder recurrences: one file each."""
