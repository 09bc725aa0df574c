"""Names, numbers and times of the demo corpus, drawn and built on both sides at once."""

from random import Random
from typing import TypeVar

from stages.corpora.demo_language.lexicon import entries
from stages.corpora.demo_language.notation import Phrase, join, units
from stages.corpora.demo_language.numbers import (
    chinese_decimal,
    chinese_number,
    english_decimal,
    english_number,
    transliterate,
)

T = TypeVar("T")


def proper(zh: str, en: str) -> Phrase:
    """A name; a leading `the/DT+` becomes a possible link."""
    if en.startswith("the/DT+"):
        return join("{0}", "the/DT:0? ^{0}", units(zh, en.removeprefix("the/DT+"), "NR", "NNP"))
    return units(zh, en, "NR", "NNP")


def possessive(owner: Phrase) -> str:
    """The English mark after `owner`, linked by the label d: Kenya 's, the Netherlands '."""
    return "'/POS:d?" if owner.target[-1].text.endswith("s") else "'s/POS:d?"


class Names:
    """Draws with `rng` who, where, how many and when.

    With `paraphrase` the English is another wording of the same Chinese. The drawing is the same in both cases, so two
    instances with equally seeded generators give two translations of one sentence.
    """

    def __init__(self, rng: Random, paraphrase: bool) -> None:
        self.rng = rng
        self.paraphrase = paraphrase

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def wording(self, usual: T, other: T) -> T:
        return other if self.paraphrase else usual

    def entry(self, section: str) -> tuple[str, ...]:
        """A row of a section of the lexicon."""
        return self.rng.choice(entries(section))

    def templated(self, section: str) -> Phrase:
        """Of a row of a section of templates."""
        source, target = self.entry(section)
        return join(source, target)

    def units(self, section: str, source_tag: str, target_tag: str) -> Phrase:
        """Of a row of a section of words."""
        source, target = self.entry(section)
        return units(source, target, source_tag, target_tag)

    def number(self, number: int) -> Phrase:
        return units(chinese_number(number, True), english_number(number), "CD", "CD", plural=number > 1)

    def small_number(self) -> Phrase:
        """Before a measure word."""
        draw = self.rng.random()
        if draw < 0.85:
            return self.number(self.rng.randint(2, 9) if draw < 0.5 else self.rng.randint(10, 99))
        return self.number(self.rng.randint(1, 9) * self.rng.choice((100, 1000)))

    def large_number(self) -> Phrase:
        return self.number(self.rng.randint(1, 99) * self.rng.choice((100, 1000, 1000, 10**4, 10**4)))

    def percent(self) -> Phrase:
        """One word of the Penn Chinese Treebank, two of English: 百分之十二点五 = 12.5 percent"""
        tenths = self.rng.randint(2, 40) * 10 if self.chance(0.7) else self.rng.randint(11, 299)
        return units(f"百分之{chinese_decimal(tenths)}", f"{english_decimal(tenths)}+percent/NN", "CD", "CD")

    def time(self, kind: str) -> Phrase:
        """`kind`: past or future."""
        draw = self.rng.random()
        if draw < 0.22:
            zh, en = self.entry("weekdays")
            return join(f"{zh}/NT:d", f"on/IN ^{en}/NNP:d")
        if draw < 0.42:
            return self._date(may_have_year=kind == "past")
        if draw < 0.52:
            zh, en = self.rng.choice((("上午", "morning"), ("下午", "afternoon")))
            return join(f"今天/NT:t {zh}/NT:m", f"this/DT:t {en}/NN:m")
        if kind == "past" and draw >= 0.9:
            zh, en = self.entry("ago")
            number = self.number(self.rng.randint(2, 9))
            return join(f"{{0}} {zh} 前/LC:a", f"{{0}} {en}/NNS:d ago/RB:a", number)
        return self.templated(f"{kind} times")

    def _date(self, may_have_year: bool) -> Phrase:
        month, day = self.rng.randint(1, 12), self.rng.randint(1, 28)
        year = self.rng.randint(1996, 2005)
        zh = f"{month}月/NT:m {day}日/NT:d"
        en = f"^{entries('months')[month - 1][0]}/NNP:m ^{day}/CD:d"
        draw = self.rng.random()
        if draw < 0.6 or not may_have_year:
            return join(zh, f"on/IN {en}")
        if draw < 0.8:
            return join(f"{year}年/NT:y {zh}", f"on/IN {en} ,/, ^{year}/CD:y")
        return join(f"{year}年/NT:y", f"in/IN ^{year}/CD:y")

    def country(self) -> Phrase:
        return proper(*self.entry("countries")[:2])

    def countries(self, count: int) -> list[Phrase]:
        """Different ones."""
        return [proper(zh, en) for zh, en, _ in self.rng.sample(entries("countries"), count)]

    def nationality(self) -> Phrase:
        """A country in front of a noun: 法国 = French."""
        zh, _, adjective = self.entry("countries")
        return units(zh, adjective, "NR", "JJ")

    def _foreign_name(self) -> Phrase:
        """One time in five somebody who is often in the news."""
        familiar = self.chance(0.2)
        zh = self.entry("familiar names")[0] if familiar else self._new_name(self.rng.choice((2, 3, 3)))
        return units(zh, transliterate(zh), "NR", "NNP")

    def _new_name(self, syllables: int) -> str:
        zh = "".join(self.entry("syllables")[0] for _ in range(syllables))
        return zh + self.entry("syllable ends")[0] if self.chance(0.4) else zh

    def _chinese_name(self) -> Phrase:
        surname, latin = self.entry("surnames")
        given = [self.entry("given names") for _ in range(self.rng.choice((1, 2, 2)))]
        zh, en = ("".join(parts) for parts in zip(*given, strict=True))
        return units(surname + zh, f"{latin}+{en.capitalize()}", "NR", "NNP")

    def name(self) -> Phrase:
        return self._chinese_name() if self.chance(0.2) else self._foreign_name()

    def town(self) -> Phrase:
        """A small place nobody has heard of: 托马拉 镇 = the town of Tomara."""
        zh = self._new_name(self.rng.choice((2, 3)))
        name = units(zh, transliterate(zh), "NR", "NNP")
        zh_kind, en_kind = self.entry("settlements")
        if self.chance(0.3):
            return join("^{0} 省/NN:p", "^{0} Province/NNP:p", name)
        return join(f"^{{0}} {zh_kind}/NN:k", f"the/DT:k? {en_kind}/NN:k of/IN ^{{0}}", name)

    def city(self) -> Phrase:
        return self.units("cities", "NR", "NNP")

    def place(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.3:
            return self.city()
        if draw < 0.5:
            return self.country()
        return self.town() if draw < 0.9 else proper(*self.entry("regions"))

    def leader(self) -> Phrase:
        draw = self.rng.random()
        zh, capital, small = self.entry("titles")
        if draw < 0.55:
            return self.titled(units(zh, capital, "NN", "NNP"))
        if draw < 0.7:
            return self._spokesman()
        if draw < 0.85:
            return self._of_country(units(zh, small, "NN", "NN"))
        return join("{0} ^{1}", "{0} ^{1}", units(zh, capital, "NN", "NNP"), self.name())

    def _of_country(self, what: Phrase) -> Phrase:
        if self.paraphrase:
            return join("{0} ^{1}", "the/DT:1? ^{1} of/IN {0}", self.country(), what)
        return join("{0} ^{1}", "the/DT:1? {0} ^{1}", self.nationality(), what)

    def titled(self, title: Phrase) -> Phrase:
        """法国 总统 卡洛斯 = French President Kalos; Chinese officials have Chinese names."""
        if self.chance(0.15):
            return join("中国/NR:c {0} ^{1}", "Chinese/JJ:c {0} ^{1}", title, self._chinese_name())
        zh, _, adjective = self.rng.choice(entries("countries")[1:])
        return join("{0} {1} ^{2}", "{0} {1} ^{2}", units(zh, adjective, "NR", "JJ"), title, self._foreign_name())

    def _spokesman(self) -> Phrase:
        section, tag = ("organisations", "NR") if self.chance(0.4) else ("bodies", "NN")
        role = join("{0} 发言人/NN:s", "{0} spokesman/NN:s", self.units(section, tag, "NNP"))
        return self.titled(role) if tag == "NN" else join("{0} ^{1}", "{0} ^{1}", role, self._foreign_name())

    def organisation(self) -> Phrase:
        return join("{0}", "the/DT:0? ^{0}", self.units("organisations", "NR", "NNP"))

    def body(self) -> Phrase:
        return self._of_country(self.units("bodies", "NN", "NNP"))

    def authority(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.45:
            return self.body()
        return self.organisation() if draw < 0.65 else self.country()

    def police(self) -> Phrase:
        return join("{0} ^警方/NN:p", "{0} ^police/NNS:p", self.nationality(), plural=True)
