"""Deliberate mistakes in every variant, each of which some test must notice: ``make mutants``."""
