"""Words -> running text."""

from collections.abc import Sequence


def detokenise(sentences: Sequence[Sequence[str]], language: str) -> list[str]:
    """Words of each sentence -> running text, by the rules of Moses' detokeniser for that language."""
    from sacremoses import MosesDetokenizer  # slow to import, and who only merges pieces does without

    moses = MosesDetokenizer(lang=language)
    # The corpus stage does not escape &, <, > and quotes, so what looks like an escape is text.
    return [moses.detokenize(words, unescape=False) for words in sentences]
