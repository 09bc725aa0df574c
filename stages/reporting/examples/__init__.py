"""Sentences that show what the measures count, for `examples.md`: chosen by rule, never by hand.

`looks` says what a translation repeats and leaves out, `facts` counts it for every system and sentence, `rules` choose
the sentences, `page` writes them down.
"""
