"""fairseq plug-ins of this study: the attention variants, and what makes fairseq 0.12.2 run on today's Python.

Importing the package costs nothing; `from fairseq_plugins import compat` imports fairseq.
"""
