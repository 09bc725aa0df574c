"""From the translations and alignments of one system to its scores: counts of every sentence, then values.

`inputs` and `system_files` read, `text_counts` and `attention_counts` count, `catalogue` says which values the counts
add up to, `values` adds them up, `system` and `score_recipe` put the scores together, `sentence_files` keeps the
counts. `aligner_scores` does the same for the statistical aligners, which have nothing but links.
"""
