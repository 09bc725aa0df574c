"""Numbers, amounts of money and times of the demo corpus, built on both sides at once."""

from stages.corpora.demo_draw import Draw
from stages.corpora.demo_numbers import chinese_decimal, chinese_number, english_decimal, english_number
from stages.corpora.demo_phrase import Phrase, join, units

_WEEKDAYS = {
    "星期一": "Monday",
    "星期二": "Tuesday",
    "星期三": "Wednesday",
    "星期四": "Thursday",
    "星期五": "Friday",
    "星期六": "Saturday",
    "星期日": "Sunday",
}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONEY_UNITS = (
    ("美元/M:u", "dollars/NNS:u"),
    ("美元/M:u", "dollars/NNS:u"),
    ("欧元/M:u", "euros/NNS:u"),
    ("英镑/M:u", "pounds/NNS:u"),
)
_PAST_TIMES = (
    ("昨天/NT:y", "yesterday/NN:y"),
    ("去年/NT:y", "last/JJ:y year/NN:y"),
    ("上周/NT:y", "last/JJ:y week/NN:y"),
    ("上/DT:l 个/M:m? 月/NN:m", "last/JJ:l month/NN:m"),
)
_FUTURE_TIMES = (
    ("明天/NT:t", "tomorrow/NN:t"),
    ("明年/NT:n", "next/JJ:n year/NN:n"),
    ("下周/NT:n", "next/JJ:n week/NN:n"),
    ("下/DT:n 个/M:m? 月/NN:m", "next/JJ:n month/NN:m"),
)


class Amounts(Draw):
    """Draws how many and when."""

    def small_number(self) -> Phrase:
        """Before a measure word."""
        draw = self.rng.random()
        if draw < 0.5:
            return self.number(self.rng.randint(2, 9))
        if draw < 0.85:
            return self.number(self.rng.randint(10, 99))
        return self.number(self.rng.randint(1, 9) * self.rng.choice((100, 1000)))

    def large_number(self) -> Phrase:
        return self.number(self.rng.randint(1, 99) * self.rng.choice((100, 1000, 1000, 10**4, 10**4)))

    def number(self, number: int) -> Phrase:
        return units(chinese_number(number, True), english_number(number), "CD", "CD", plural=number > 1)

    def percent(self) -> Phrase:
        """One word of the Penn Chinese Treebank, two of English: 百分之十二点五 = 12.5 percent"""
        tenths = self.rng.randint(2, 40) * 10 if self.chance(0.7) else self.rng.randint(11, 299)
        return units(f"百分之{chinese_decimal(tenths)}", f"{english_decimal(tenths)}+percent/NN", "CD", "CD")

    def money_unit(self) -> tuple[str, str]:
        return self.rng.choice(_MONEY_UNITS)

    def time(self, kind: str) -> Phrase:
        """`kind`: past or future."""
        draw = self.rng.random()
        if draw < 0.22:
            zh, en = self.rng.choice(tuple(_WEEKDAYS.items()))
            return join(f"{zh}/NT:d", f"on/IN ^{en}/NNP:d")
        if draw < 0.42:
            return self.date(may_have_year=kind == "past")
        if draw < 0.52:
            zh, en = self.rng.choice((("今天/NT:t 上午/NT:m", "morning"), ("今天/NT:t 下午/NT:m", "afternoon")))
            return join(zh, f"this/DT:t {en}/NN:m")
        if kind == "past":
            return join(*self.rng.choice(_PAST_TIMES)) if draw < 0.9 else self.ago()
        return join(*self.rng.choice(_FUTURE_TIMES))

    def date(self, may_have_year: bool) -> Phrase:
        month, day = self.rng.randint(1, 12), self.rng.randint(1, 28)
        year = self.rng.randint(1996, 2005)
        zh = f"{month}月/NT:m {day}日/NT:d"
        en = f"^{_MONTHS[month - 1]}/NNP:m ^{day}/CD:d"
        draw = self.rng.random()
        if draw < 0.6 or not may_have_year:
            return join(zh, f"on/IN {en}")
        if draw < 0.8:
            return join(f"{year}年/NT:y {zh}", f"on/IN {en} ,/, ^{year}/CD:y")
        return join(f"{year}年/NT:y", f"in/IN ^{year}/CD:y")

    def ago(self) -> Phrase:
        zh, en = self.rng.choice(
            (("天/M:d", "days"), ("年/M:d", "years"), ("个/M:d? 月/NN:d", "months"), ("周/M:d", "weeks"))
        )
        return join(f"{{0}} {zh} 前/LC:a", f"{{0}} {en}/NNS:d ago/RB:a", self.number(self.rng.randint(2, 9)))
