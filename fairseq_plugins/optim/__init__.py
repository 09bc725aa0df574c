"""Optimisers that ``fairseq-train`` knows once they are imported."""
