"""Measures of translations and alignments: pure functions, one measure a file, no input or output.

Every measure has the same two halves:

- `statistics(...)` gives the counts of one sentence, K numbers;
- `of_totals(totals)` turns summed counts (..., K) into the value.

Sums are all that a value depends on, so a resampled test set is `weights @ rows` and needs no sentence again.
"""
