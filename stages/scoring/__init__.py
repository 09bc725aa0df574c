"""From the translations and alignments of one system to its scores: rows of counts, one a sentence, then values.

`rows` counts, `catalogue` says which values the counts add up to, `values` adds them up, `tables` keeps the rows.
"""
