"""Marks that stand among the words of a sentence, the same for segmentation, fairseq and the measures."""

END = "</s>"
"""End of sentence, as fairseq's dictionaries write it."""

UNKNOWN = "<unk>"
"""What fairseq writes for a word that its dictionary lacks."""

CONTINUES = "@@"
"""subword-nmt's mark at the end of a piece whose word goes on in the next piece; no word may end in it."""
