"""Words that are numbers or dates by their form, in Arabic or Chinese numerals."""

import re

_DIGITS = "0-9０-９零〇一二三四五六七八九十百千万亿两"
_NUMBER = rf"[+-]?(?:[{_DIGITS}]+分之)?[{_DIGITS}][{_DIGITS}点.,．，:/／-]*[%％]?"
NUMERAL = re.compile(_NUMBER)
DATE = re.compile(rf"{_NUMBER}[年月日时]")
