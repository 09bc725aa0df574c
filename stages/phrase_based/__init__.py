"""Phrase-based statistical machine translation (Koehn et al. 2003) with Thot, in place of the papers' Moses and cdec.

`language_model` and `phrase_table` write the files of a model, `decoder` translates with them, `mert` and `tuning` find
the weights, `system` puts them together.
"""
