"""A trained system as a program: raw text in, translations out, with scores and attention on request."""
