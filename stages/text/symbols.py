"""Marks that stand among the words of a sentence, the same for segmentation, fairseq and the measures."""

END = "</s>"
"""End of sentence, as fairseq's dictionaries write it."""

SPECIAL = frozenset({"<s>", "<pad>", END})
"""What fairseq's dictionaries hold beside words, and no sentence may say."""

UNKNOWN = "<unk>"
"""What fairseq writes for a word that its dictionary lacks."""

CONTINUES = "@@"
"""subword-nmt's mark at the end of a piece whose word goes on in the next piece; no word may end in it."""
