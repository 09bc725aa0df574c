"""The papers' claims as data, and what a study says of each."""
