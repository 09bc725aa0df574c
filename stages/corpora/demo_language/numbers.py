"""Numbers, dates and transliterated names of the demo corpus: what is spelt by rule rather than listed."""

from stages.corpora.demo_language.lexicon import pairs

_DIGITS = "零一二三四五六七八九"
_UNITS = ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"))
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def chinese_number(number: int, before_measure: bool = False) -> str:
    """A number without zeros between its digits (no 零). `before_measure`: 两 for a lone 2."""
    for size, name in _UNITS:
        if number >= size:
            lead, rest = divmod(number, size)
            if rest and rest * 10 < size:
                raise ValueError(f"{number} has a gap, which this function does not spell")
            return ("两" if lead == 2 else chinese_number(lead)) + name + (chinese_number(rest) if rest else "")
    if number < 10:
        return "两" if number == 2 and before_measure else _DIGITS[number]
    tens, ones = divmod(number, 10)
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[ones] if ones else "")


def english_number(number: int) -> str:
    """Newswire style: words below ten, then digits, then `N million`; words joined by `+`."""
    if number < 10:
        return _SMALL[number]
    for size, name in ((10**9, "billion"), (10**6, "million")):
        if number >= size:
            return f"{number // size}+{name}"
    return f"{number:,}"


def chinese_decimal(tenths: int) -> str:
    """12.5 (given as 125 tenths) -> 十二点五; whole numbers without 点."""
    whole, rest = divmod(tenths, 10)
    text = chinese_number(whole) if whole else "零"
    return f"{text}点{_DIGITS[rest]}" if rest else text


def english_decimal(tenths: int) -> str:
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}" if rest else str(whole)


def transliterate(name: str) -> str:
    """A foreign name in Chinese characters -> Latin letters, a character a syllable: 卡洛斯 -> Kalos."""
    latin = pairs("syllables") | pairs("syllable ends")
    return "".join(latin[mark] for mark in name).capitalize()
