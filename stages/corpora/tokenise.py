"""Raw text -> words: Chinese with jieba, else with the Moses tokeniser of sacremoses (nothing is escaped)."""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache

from sacremoses import MosesTokenizer
from sacremoses.corpus import NonbreakingPrefixes

from stages.corpora import chinese
from stages.corpora.parallel import single_spaced
from stages.files.errors import InputError
from stages.text.detokenise import APOCOPE
from stages.text.languages import is_unspaced, rules_of

JOINERS = "\u200c\u200d"
"""Zero width, between letters of one word in Persian and Indic scripts."""
TONES = "՛՜՞"
"""Armenian marks of emphasis, exclamation and question, over the vowel that is stressed."""
WITHIN = {"uz": "['’‘]", "he": "['\"׳״]", "yi": "['\"׳״]"}
"""By language, what stands within words and is no quotation mark there, beside `INNER`."""
OWN_WORDS = {
    "it": APOCOPE,
    "nl": r"(?<!\w)['’](?:s|t|n|k|m|r|er|ie)\b",
    "hu": r"(?<![0-9])[0-9]++%-\w+",
    "fi": r"%:\w+",
}
"""By language, words with marks at an end, or with a sign: po’ (poco), ’t (het), 5%-os."""
AS_MOSES_HAS_IT = frozenset({"en", "de", "fr"})
"""Languages of the published corpora, whose words stay as they were."""
AS_FRENCH = frozenset({"it"})
"""Whose words Moses cuts behind an apostrophe, and puts together again."""
INNER, APOSTROPHE = "[:·־٫٬]", "['’]"
"""Within a word or number of any other language: 12:30, col·legi, foto's, and the marks of Hebrew and Arabic."""
WHOLLY = {"ko": r"[^\w\s]+"}
"""By language, what stands within words at all: what follows a mark there may be a particle, which has no blank."""
SPACES = re.compile(r"[^\S\n]")


def plain_spaces(line: str) -> str:
    """Raw text with blanks for white space of all kinds: no-break, narrow and wide ones separate words alike."""
    return line if line.isascii() else SPACES.sub(" ", line)


def tokeniser(language: str) -> Callable[[str], str]:
    """A function from a raw line to its words, separated by single blanks.

    Raises:
        InputError: the language is written without blanks, and is not Chinese, which jieba cuts.
    """
    rules = rules_of(language)
    if rules == "zh":
        return chinese.words
    if is_unspaced(language):
        raise InputError(
            f"text in {language!r} has no blanks between words, and only Chinese is segmented here; segment it first, "
            "and set tokenised: true"
        )
    _say_if_unknown(language)
    moses = MosesTokenizer(lang=rules)

    def tokenise(line: str) -> str:
        if line.isascii() and rules in AS_MOSES_HAS_IT:
            return single_spaced(moses.tokenize(line, escape=False, return_str=True))
        # Moses' own protection looks for a word everywhere in the line, and takes at most 1,000.
        marker, kept = moses.unused_protect_marker(line), list[str]()

        def hold(found: re.Match[str]) -> str:
            kept.append(found[0])
            return f"{marker}{len(kept) - 1}"

        text = moses.tokenize(_whole(rules).sub(hold, line), escape=False, return_str=True)
        return single_spaced(re.sub(f"{marker}([0-9]+)", lambda found: kept[int(found[1])], text))

    return tokenise


@cache
def _say_if_unknown(language: str) -> None:
    """Once for each language."""
    if rules_of(language) not in {*NonbreakingPrefixes().available_langs.values(), *WITHIN}:
        print(f"{language}: no rules of its own; Moses' general ones part its words", file=sys.stderr, flush=True)


@cache
def _whole(rules: str) -> re.Pattern[str]:
    """Words with vowel signs, points or joiners in them, which Moses' classes of letters do not all hold."""
    marks = "".join(
        re.escape(chr(code))
        for code in range(0x300, sys.maxunicode)
        if unicodedata.category(chr(code)) in ("Mn", "Mc") or chr(code) in JOINERS + TONES
    )
    own = WHOLLY.get(rules) or WITHIN.get(rules)
    further = () if rules in AS_MOSES_HAS_IT else (INNER,) if rules in AS_FRENCH else (INNER, APOSTROPHE)
    inner = "|".join(part for part in (own, *further) if part)
    within = f"|(?:{inner})[^\\W_]+" if inner else ""
    # Only from the first letter of a word, and without giving letters back: long words would take the square of that.
    words = f"(?<![^\\W_])[^\\W_]++(?:[{marks}]+[^\\W_]*{within})+"
    return re.compile(f"{OWN_WORDS[rules]}|{words}" if rules in OWN_WORDS else words)
