"""Words -> running text, and what of it counts where text is compared."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from stages.text.languages import CHINESE_OR_JAPANESE, is_unspaced, rules_of

STRAIGHT = str.maketrans("“”„‘’", '"""\'\'')
BLANK_IN_UNSPACED = re.compile(r" +(?![0-9A-Za-z\u00c0-\u052f])|(?<![0-9A-Za-z\u00c0-\u052f]) +")
"""All but those between two words of an alphabet."""

CLOSING = "،؛؟٪।॥॰۔՝։፣።፤」』】》〉"
"""Of Arabic, Indic, Armenian, Ethiopic and East Asian scripts; sacremoses knows those of ASCII only."""
OUTWARDS = frozenset({"de", "da", "cs", "sk", "sl", "hr", "sr", "hu"})
"""Languages that write »so« where others write «so»."""
SPACED_GUILLEMETS = frozenset({"fr"})
NINE_OPENS = frozenset({"sv", "fi"})
"""Languages that open a quotation with ”, as they close it."""
APOSTROPHE = re.compile(r"(?<=\w) ’ (?=\w)")


def detokenise(sentences: Sequence[Sequence[str]], language: str) -> list[str]:
    """Words of each sentence -> running text, by the rules of Moses' detokeniser for that language.

    Beside its rules: no blanks in text that is written without, and marks beyond ASCII, which it leaves alone.
    """
    if is_unspaced(language):
        return [BLANK_IN_UNSPACED.sub("", " ".join(words)) for words in sentences]
    from sacremoses import MosesDetokenizer  # slow to import, and who only merges pieces does without

    rules = rules_of(language)
    moses = MosesDetokenizer(lang=rules)
    # The corpus stage does not escape &, <, > and quotes, so what looks like an escape is text.
    return [_marks(moses.detokenize(words, unescape=False), rules) for words in sentences]


def comparable(language: str) -> Callable[[str], str]:
    """What is done to a translation and to its references alike before running text is compared.

    Nothing but in text without blanks: there forms of characters (NFKC), quotation marks and blanks do not count in
    Chinese and Japanese, as the corpus stage folds them; blanks do not count in the others.
    """
    if not is_unspaced(language):
        return lambda text: text
    if rules_of(language) not in CHINESE_OR_JAPANESE:
        return lambda text: BLANK_IN_UNSPACED.sub("", text)
    return lambda text: BLANK_IN_UNSPACED.sub("", unicodedata.normalize("NFKC", text).translate(STRAIGHT))


def _marks(text: str, rules: str) -> str:
    if text.isascii():
        return text
    text = re.sub(f" ([{CLOSING}])", r"\1", text)
    if rules == "el":  # its ’ ends a word, and its · a clause
        text = text.replace(" ’ ", "’ ").replace(" ·", "·")
    if "‘" not in text:  # with it, ’ closes a quotation
        text = APOSTROPHE.sub("’", text)
    if rules in NINE_OPENS:
        text = re.sub("” ([^”]*) ”", r"”\1”", text)
    if rules != "en":  # whose text has it between blanks as well
        text = text.replace(" …", "…")
    for opens, closes in _quotations(rules, text):
        text = re.sub(f"{opens} ", opens, text)
        text = re.sub(f" {closes}", closes, text)
    return text


def _quotations(rules: str, text: str) -> list[tuple[str, str]]:
    """Pairs of quotation marks, as the language turns them; the low ones tell what the high ones in `text` do."""
    pairs = []
    for low, left, right in (("„", "“", "”"), ("‚", "‘", "’")):
        if low in text:
            pairs.append((low, left if left in text else right))
        elif rules not in NINE_OPENS | OUTWARDS:
            pairs.append((left, right))
    if rules in OUTWARDS:
        return [("»", "«"), *pairs]
    return pairs if rules in SPACED_GUILLEMETS else [*pairs, ("«", "»")]
