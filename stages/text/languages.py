"""Which rules a language code stands for, and how text of a language is written."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from stages.files.text import NORMAL_FORM

ALIASES = {
    **{"ara": "ar", "arb": "ar", "ben": "bn", "bul": "bg", "cat": "ca", "ces": "cs", "cze": "cs", "dan": "da"},
    **{"deu": "de", "ger": "de", "ell": "el", "gre": "el", "eng": "en", "est": "et", "fas": "fa", "per": "fa"},
    **{"pes": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "gle": "ga", "guj": "gu", "heb": "he", "iw": "he"},
    **{"hin": "hi", "hrv": "hr", "hun": "hu", "hye": "hy", "arm": "hy", "ind": "id", "in": "id", "isl": "is"},
    **{"ice": "is", "ita": "it", "jpn": "ja", "kan": "kn", "khm": "km", "kor": "ko", "lao": "lo", "lav": "lv"},
    **{"lvs": "lv", "lit": "lt", "mal": "ml", "mar": "mr", "mya": "my", "bur": "my", "nld": "nl", "dut": "nl"},
    **{"nob": "nb", "nno": "nn", "nor": "no", "pan": "pa", "pol": "pl", "por": "pt", "ron": "ro", "rum": "ro"},
    **{"rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv", "tam": "ta"},
    **{"tel": "te", "tha": "th", "bod": "bo", "tib": "bo", "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi"},
    **{"zho": "zh", "chi": "zh", "cmn": "zh", "yue": "zh", "wuu": "zh", "nan": "zh", "hak": "zh", "lzh": "zh"},
}
"""ISO 639-3, ISO 639-2/B and withdrawn codes -> ISO 639-1, by which tokenisers, taggers and fonts know languages."""

UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my", "bo"})
"""Written without blanks between words."""

CHINESE_OR_JAPANESE = frozenset({"zh", "ja"})

DOTLESS = frozenset({"tr", "az", "crh"})
"""Whose capital I is that of ı, as İ is that of i."""
CAPITALS = str.maketrans("Iİ", "ıi")


def without_region(code: Any) -> Any:
    """A code as settings have it, without the script and the region, which make no difference: pt-BR, zh_Hant_TW."""
    match = re.fullmatch(r"([a-z]{2,3})([-_][A-Za-z0-9]{2,8})+", code) if isinstance(code, str) else None
    return match[1] if match else code


def rules_of(code: str) -> str:
    """The code of two letters for the same language, or `code` itself if there is none."""
    return ALIASES.get(code, code)


def is_unspaced(code: str) -> bool:
    """Whether the language is written without blanks between words."""
    return rules_of(code) in UNSPACED


def lower_case(code: str) -> Callable[[str], str]:
    """Text in lower case, by the rules of the language, and as all text is read (`NORMAL_FORM`): of some capitals with
    marks only the small letter is one character."""
    lower = _lower_dotless if rules_of(code) in DOTLESS else str.lower
    return lambda text: unicodedata.normalize(NORMAL_FORM, lower(text))


def fold_case(code: str) -> Callable[[str], str]:
    """Text whose letter case does not count, by the rules of the language."""
    return (lambda text: _lower_dotless(text).casefold()) if rules_of(code) in DOTLESS else str.casefold


def _lower_dotless(text: str) -> str:
    return text.translate(CAPITALS).lower()
