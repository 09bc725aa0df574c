"""Trained systems at work: beam search, forced decoding, and what they leave on disk."""
