"""Words -> running text, and what of it counts where text is compared."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

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
PERCENT_FIRST = frozenset({"tr", "eu"})
"""Languages that write %50."""
ELIDING = frozenset({"fr", "it", "ca"})
"""Whose apostrophe joins a word with a quotation too: l’«amico»."""
GENITIVE = frozenset({"en", "de", "nl"})
"""Languages that write ’ after a word too: the dogs’ ears, Hans’ Auto."""
CONTRACTED = re.compile(r"(?:s|t|re|ve|ll|d|m|clock|n)\b", re.IGNORECASE)
"""What it joins with the word before it there."""
NAME = re.compile(r"\b[DdLlO]$")
ELIDED = re.compile(r"\b(?:[^\W\d_]|[Qq]u)$")
LONGEST = 2
"""Letters of what these two find: what is further before a mark does not matter."""
NINE = re.compile(r"(?<!\w)[‘‚]|(?<=\w) ’ (?=\w)|(?<!\w)’|’(?!\w)")
APOCOPE = r"\b(?i:po|mo|be|va|fa|sta|da|di)['’](?!\w)"
"""Italian words that were cut short: un po' stanco. Moses' rules join what ends in an apostrophe with the next word."""
HELD = "\ue000"
BROKEN_RULES = {"cs": "sk"}
"""Language -> another whose rules of sacremoses do: those of Czech look at the sentence's end instead of the words."""


def detokenise(sentences: Sequence[Sequence[str]], language: str) -> list[str]:
    """Words of each sentence -> running text, by the rules of Moses' detokeniser for that language.

    Beside its rules: no blanks in text that is written without, and marks beyond ASCII, which it leaves alone.
    """
    if is_unspaced(language):
        return [BLANK_IN_UNSPACED.sub("", " ".join(words)) for words in sentences]
    from sacremoses import MosesDetokenizer  # slow to import, and who only merges pieces does without

    rules = rules_of(language)
    moses = MosesDetokenizer(lang=BROKEN_RULES.get(rules, rules))
    # The corpus stage does not escape &, <, > and quotes, so what looks like an escape is text.
    texts = (moses.detokenize([_held(word, rules) for word in words], unescape=False) for words in sentences)
    return [_marks(text.replace(HELD, "'") if rules == "it" else text, rules) for text in texts]


def _held(word: str, rules: str) -> str:
    return word.replace("'", HELD) if rules == "it" and re.fullmatch(APOCOPE, word) else word


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
    if rules in PERCENT_FIRST:
        text = re.sub(r"% (?=[0-9])", "%", re.sub(r"(?<=[^\s(])(?=% [0-9])", " ", text))
    if text.isascii():
        return text
    text = re.sub(f" ([{CLOSING}])", r"\1", text)
    text = re.sub(r"\b([Nn]) °", r"\1°", text)
    if rules == "el":  # its ’ ends a word, and its · a clause
        text = text.replace(" ’ ", "’ ").replace(" ·", "·")
    text = _apostrophes(text, rules)
    if rules in ELIDING:
        text = re.sub('(?<=\\w) ’ (?=[«“"])', "’", text)
    if rules != "en":  # whose text has it between blanks as well
        text = text.replace(" …", "…")
    for opens, closes in _quotations(rules, text):
        if opens == closes:
            text = re.sub(f"{opens} ([^{opens}]*) {opens}", rf"{opens}\1{opens}", text)
        else:
            text = re.sub(rf" {closes}(?!\w)", closes, text.replace(f"{opens} ", opens))
    return text


def _apostrophes(text: str, rules: str) -> str:
    """Without blanks around the ’ that stands within a word, and does not close what ‘ or ‚ opened."""
    quoted = False

    def joined(match: re.Match[str]) -> str:
        nonlocal quoted
        mark, after = match[0], match.end()
        before = text, max(0, match.start() - LONGEST), match.start()
        if mark != " ’ ":
            quoted = mark != "’"
            return mark
        within = CONTRACTED.match(text, after) if rules in GENITIVE else ELIDED.search(*before)
        if within or not (quoted or rules in GENITIVE) or (rules in GENITIVE and NAME.search(*before)):
            return "’"
        quoted = False
        return "’ "

    return NINE.sub(joined, text)


def _quotations(rules: str, text: str) -> Iterator[tuple[str, str]]:
    """Pairs of quotation marks, as the language turns them; those of `text` tell what the others do."""
    if "„" in text:
        yield from (("„", closes) for closes in "“”" if closes in text)
    elif "“" in text and "”" in text:
        yield ("“", "”") if text.index("“") < text.index("”") else ("”", "“")
    elif rules != "en" and text.count("”") % 2 == 0 and "”" in text:
        yield "”", "”"
    elif rules not in NINE_OPENS | OUTWARDS:
        yield "“", "”"
    if "‚" in text:
        yield "‚", "‘" if "‘" in text else "’"
    elif rules not in NINE_OPENS:
        yield "‘", "’"
    if rules not in SPACED_GUILLEMETS:
        for left, right in ("«»", "‹›"):
            outwards = rules in OUTWARDS and not 0 <= text.find(left) < text.find(right)
            yield (right, left) if outwards else (left, right)
