"""Raw text -> words: Chinese with jieba, else with the Moses tokeniser of sacremoses (nothing is escaped)."""

from collections.abc import Callable

from sacremoses import MosesTokenizer

from stages.corpora import chinese
from stages.corpora.parallel import single_spaced
from stages.files.errors import InputError

UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})  # written without blanks between words


def tokeniser(language: str) -> Callable[[str], str]:
    """A function from a raw line to its words, separated by single blanks.

    Raises:
        InputError: the language is written without blanks, and is not Chinese, which jieba cuts.
    """
    if language == "zh":
        return chinese.words
    if language in UNSPACED:
        raise InputError(
            f"text in {language!r} has no blanks between words, and only Chinese is segmented here; segment it first, "
            "and set tokenised: true"
        )
    moses = MosesTokenizer(lang=language)

    def tokenise(line: str) -> str:
        return single_spaced(moses.tokenize(line, escape=False, return_str=True))

    return tokenise
