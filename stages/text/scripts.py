"""Which letters a language is written in."""

import re

from stages.text.languages import rules_of

HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
LATIN = re.compile("[A-Za-zÀ-ÖØ-öø-ɏ]")
LATIN_LANGUAGES = frozenset(
    {"cs", "da", "de", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt"}
    | {"lv", "nl", "no", "pl", "pt", "ro", "sk", "sl", "sv"}
)
KNOWN = LATIN_LANGUAGES | {"zh"}
"""Languages that `is_written_in` speaks of."""


def is_written_in(language: str, line: str) -> bool:
    """Whether `line` can be of a language of `KNOWN`: it has letters of its script and, in the Latin one, none of Han.

    Latin letters within Chinese are no fault: names and abbreviations keep theirs.
    """
    if rules_of(language) == "zh":
        return HAN.search(line) is not None
    return LATIN.search(line) is not None and HAN.search(line) is None
