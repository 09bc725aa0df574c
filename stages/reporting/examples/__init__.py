"""Sentences that show what the measures count, for `examples.md`: chosen by rule, never by hand.

`attention_errors` says what a translation repeats and leaves out, `sentence_scores` counts it for every system and
sentence, `rules` choose the sentences, `write_examples` writes them down.
"""
