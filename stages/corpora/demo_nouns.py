"""Noun phrases, times and places of the demo corpus, drawn at random and built on both sides at once."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from stages.corpora import demo_lexicon as lexicon
from stages.corpora.demo_clauses import Adjuncts, Predicate, clause, passive
from stages.corpora.demo_lexicon import Noun
from stages.corpora.demo_numbers import (
    chinese_decimal,
    chinese_number,
    english_decimal,
    english_number,
    transliterate,
)
from stages.corpora.demo_phrase import NOTHING, Phrase, join, units

T = TypeVar("T")

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
_SYLLABLES = tuple(lexicon.SYLLABLES)
_ENDINGS = tuple(lexicon.ENDINGS)
_SURNAMES = tuple(lexicon.SURNAMES)
_GIVEN = tuple(lexicon.GIVEN)
_MONEY_UNITS = (
    ("美元/M:u", "dollars/NNS:u"),
    ("美元/M:u", "dollars/NNS:u"),
    ("欧元/M:u", "euros/NNS:u"),
    ("英镑/M:u", "pounds/NNS:u"),
)
# counted by the handful
_FEW = frozenset({"event", "document", "report", "building"})
_BARE_ARTICLE = {"the": "the/DT:2?", "many": "", "mass": ""}


def listing(phrases: Sequence[Phrase]) -> Phrase:
    """A 、 B 和 C = A , B and C."""
    slots = [f"{{{number}}}" for number in range(len(phrases))]
    if len(phrases) == 1:
        return phrases[0]
    source, target = slots[0], slots[0]
    for number, slot in enumerate(slots[1:-1]):
        source += f" 、/PU:c{number} {slot}"
        target += f" ,/,:c{number} {slot}"
    return join(f"{source} 和/CC:and {slots[-1]}", f"{target} and/CC:and {slots[-1]}", *phrases, plural=True)


def proper(zh: str, en: str) -> Phrase:
    """A name; a leading `the/DT+` becomes a possible link."""
    if en.startswith("the/DT+"):
        return join("{0}", "the/DT:0? ^{0}", units(zh, en.removeprefix("the/DT+"), "NR", "NNP"))
    return units(zh, en, "NR", "NNP")


def possessive(owner: Phrase) -> str:
    """The English mark after `owner`, linked by the label d: Kenya 's, the Netherlands '."""
    return "'/POS:d?" if owner.target[-1].text.endswith("s") else "'s/POS:d?"


class NounPhrases:
    """Draws noun phrases with `rng`.

    With `paraphrase` the English is another wording of the same Chinese. The drawing is the same in both cases, so two
    instances with equally seeded generators give two translations of one sentence.
    """

    def __init__(self, rng: Random, paraphrase: bool) -> None:
        self.rng = rng
        self.paraphrase = paraphrase
        self._kinds: dict[str, Callable[[int], Phrase]] = {
            "leader": lambda depth: self.leader(),
            "authority": lambda depth: self.authority(),
            "speaker": lambda depth: self.leader() if self.chance(0.5) else self.authority(),
            "police": lambda depth: self.police(),
            "firm": lambda depth: self.noun(lexicon.FIRMS, "firm", depth),
            "trader": lambda depth: self.country() if self.chance(0.5) else self.noun(lexicon.FIRMS, "firm", depth),
            "people": lambda depth: self.noun(lexicon.PEOPLE, "people", depth),
            "experts": lambda depth: self.noun(lexicon.EXPERTS, "people", depth),
            "staff": lambda depth: self.noun(lexicon.STAFF, "people", depth),
            "suspects": lambda depth: self.noun(lexicon.SUSPECTS, "suspects", depth),
            "document": lambda depth: self.noun(lexicon.DOCUMENTS, "document", depth),
            "report": lambda depth: self.noun(lexicon.REPORTS, "report", depth),
            "event": lambda depth: self.noun(lexicon.EVENTS, "event", depth),
            "building": lambda depth: self.noun(lexicon.BUILDINGS, "building", depth),
            "machines": lambda depth: self.noun(lexicon.MACHINES, "machine", depth),
            "goods": lambda depth: self.goods(depth),
            "issue": lambda depth: self.topic("issue", "matter"),
            "problem": lambda depth: self.topic("problem", "problem"),
            "question": lambda depth: self.questions(),
            "place": lambda depth: self.place(),
            "country": lambda depth: self.country(),
        }

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def wording(self, usual: T, other: T) -> T:
        return other if self.paraphrase else usual

    def phrase(self, kind: str, depth: int = 0) -> Phrase:
        """A noun phrase of `kind` (one of those the lexicon's frames name); no relative clause where `depth` > 0."""
        return self._kinds[kind](depth)

    # names and places

    def country(self) -> Phrase:
        entry = self.rng.choice(lexicon.COUNTRIES)
        return proper(entry.zh, entry.name)

    def nationality(self) -> Phrase:
        """A country in front of a noun: 法国 = French."""
        entry = self.rng.choice(lexicon.COUNTRIES)
        return units(entry.zh, entry.adjective, "NR", "JJ")

    def foreign_nationality(self) -> Phrase:
        entry = self.rng.choice(lexicon.COUNTRIES[1:])
        return units(entry.zh, entry.adjective, "NR", "JJ")

    def foreign_name(self) -> Phrase:
        """One time in five somebody who is often in the news."""
        familiar = self.chance(0.2)
        zh = self.rng.choice(lexicon.FAMILIAR_NAMES) if familiar else self._new_name(self.rng.choice((2, 3, 3)))
        return units(zh, transliterate(zh), "NR", "NNP")

    def _new_name(self, syllables: int) -> str:
        zh = "".join(self.rng.choice(_SYLLABLES) for _ in range(syllables))
        return zh + self.rng.choice(_ENDINGS) if self.chance(0.4) else zh

    def chinese_name(self) -> Phrase:
        surname = self.rng.choice(_SURNAMES)
        given = [self.rng.choice(_GIVEN) for _ in range(self.rng.choice((1, 2, 2)))]
        latin = "".join(lexicon.GIVEN[mark] for mark in given).capitalize()
        return units(surname + "".join(given), f"{lexicon.SURNAMES[surname]}+{latin}", "NR", "NNP")

    def name(self) -> Phrase:
        return self.chinese_name() if self.chance(0.2) else self.foreign_name()

    def town(self) -> Phrase:
        """A small place nobody has heard of: 托马拉 镇 = the town of Tomara."""
        zh = self._new_name(self.rng.choice((2, 3)))
        name = units(zh, transliterate(zh), "NR", "NNP")
        zh_kind, en_kind = self.rng.choice((("镇", "town"), ("村", "village"), ("市", "city")))
        if self.chance(0.3):
            return join("^{0} 省/NN:p", "^{0} Province/NNP:p", name)
        return join(f"^{{0}} {zh_kind}/NN:k", f"the/DT:k? {en_kind}/NN:k of/IN ^{{0}}", name)

    def city(self) -> Phrase:
        return units(*self.rng.choice(lexicon.CITIES), "NR", "NNP")

    def place(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.3:
            return self.city()
        if draw < 0.5:
            return self.country()
        if draw < 0.9:
            return self.town()
        return proper(*self.rng.choice(lexicon.REGIONS))

    # people and institutions

    def leader(self) -> Phrase:
        draw = self.rng.random()
        zh, capital, small = self.rng.choice(lexicon.TITLES)
        if draw < 0.55:
            return self.titled(units(zh, capital, "NN", "NNP"))
        if draw < 0.7:
            return self.spokesman()
        if draw < 0.85:
            title = units(zh, small, "NN", "NN")
            if self.paraphrase:
                return join("{0} ^{1}", "the/DT:1? ^{1} of/IN {0}", self.country(), title)
            return join("{0} ^{1}", "the/DT:1? {0} ^{1}", self.nationality(), title)
        return join("{0} ^{1}", "{0} ^{1}", units(zh, capital, "NN", "NNP"), self.name())

    def titled(self, title: Phrase) -> Phrase:
        """法国 总统 卡洛斯 = French President Kalos; Chinese officials have Chinese names."""
        if self.chance(0.15):
            return join("中国/NR:c {0} ^{1}", "Chinese/JJ:c {0} ^{1}", title, self.chinese_name())
        return join("{0} {1} ^{2}", "{0} {1} ^{2}", self.foreign_nationality(), title, self.foreign_name())

    def spokesman(self) -> Phrase:
        if self.chance(0.4):
            role = join(
                "{0} 发言人/NN:s", "{0} spokesman/NN:s", units(*self.rng.choice(lexicon.ORGANISATIONS), "NR", "NNP")
            )
        else:
            body = units(*self.rng.choice(lexicon.BODIES), "NN", "NNP")
            return self.titled(join("{0} 发言人/NN:s", "{0} spokesman/NN:s", body))
        return join("{0} ^{1}", "{0} ^{1}", role, self.foreign_name())

    def organisation(self) -> Phrase:
        return join("{0}", "the/DT:0? ^{0}", units(*self.rng.choice(lexicon.ORGANISATIONS), "NR", "NNP"))

    def body(self) -> Phrase:
        body = units(*self.rng.choice(lexicon.BODIES), "NN", "NNP")
        if self.paraphrase:
            return join("{0} ^{1}", "the/DT:1? ^{1} of/IN {0}", self.country(), body)
        return join("{0} ^{1}", "the/DT:1? {0} ^{1}", self.nationality(), body)

    def authority(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.45:
            return self.body()
        return self.organisation() if draw < 0.65 else self.country()

    def police(self) -> Phrase:
        return join("{0} ^警方/NN:p", "{0} ^police/NNS:p", self.nationality(), plural=True)

    # things

    def topic(self, usual: str, other: str) -> Phrase:
        """贸易 问题: an issue when it is discussed, a problem when it is resolved."""
        topic = units(*self.rng.choice(lexicon.TOPICS), "NN", "NN")
        return join("{0} ^问题/NN:q", f"the/DT:q? {{0}} ^{self.wording(usual, other)}/NN:q", topic)

    def questions(self) -> Phrase:
        if self.chance(0.5):
            return join("记者/NN:r 的/DEG:d? ^问题/NN:q", "reporters/NNS:r '/POS:d? ^questions/NNS:q", plural=True)
        number = self.rng.randint(2, 9)
        return join(
            f"{chinese_number(number, True)}/CD:n 个/M:q? ^问题/NN:q",
            f"{english_number(number)}/CD:n ^questions/NNS:q",
            plural=True,
        )

    def goods(self, depth: int) -> Phrase:
        draw = self.rng.random()
        if draw < 0.5:
            return self.tons(self.rng.choice(lexicon.COMMODITIES))
        if draw < 0.65:
            return units(*_cells(self.rng.choice(lexicon.COMMODITIES), False), "NN", "NN")
        return self.noun(lexicon.MACHINES, "machine", depth)

    def tons(self, commodity: Noun) -> Phrase:
        """三万 吨 大米 = 30,000 tons of rice"""
        mass = units(*_cells(commodity, False), "NN", "NN")
        return join("{0} 吨/M:t ^{1}", "{0} tons/NNS:t of/IN ^{1}", self.large_number(), mass, plural=True)

    def noun(self, nouns: Sequence[Noun], kind: str, depth: int) -> Phrase:
        """A common noun with determiner or count, modifier and relative clause."""
        noun = self.rng.choice(nouns)
        before_zh, before_en, plural, count = self._determiner(noun, kind)
        draw = self.rng.random()
        modifier, relative = NOTHING, NOTHING
        if draw < 0.16 and kind in ("people", "firm"):
            modifier = self.nationality()
        elif draw < 0.34:
            modifier = self.adjective(kind)
        elif draw < 0.48 and depth == 0:
            relative = self.relative(kind, plural)
        head = units(*_cells(noun, plural), "NN", "NN")
        return join(
            f"{before_zh} {{1}} {{0}} ^{{2}}",
            f"{before_en} {{0}} ^{{2}} {{1}}",
            modifier,
            relative,
            head,
            count,
            plural=plural,
        )

    def _determiner(self, noun: Noun, kind: str) -> tuple[str, str, bool, Phrase]:
        """-> (Chinese template, English template, plural, the number for slot 3); the noun is slot 2."""
        draw = self.rng.random()
        measure = f"{noun.measure}/M:2?"
        if draw < 0.36:
            return "", _BARE_ARTICLE[noun.bare], noun.bare == "many", NOTHING
        if draw < 0.52:
            return f"一/CD:d {measure}", "a/DT:d,2?", False, NOTHING
        if draw < 0.76 and kind in _FEW:
            return f"{{3}} {measure}", "{3}", True, self.number(self.rng.randint(2, 6))
        if draw < 0.72:
            return f"{{3}} {measure}", "{3}", True, self.small_number()
        if draw < 0.76:
            return f"大约/AD:d {{3}} {measure}", "about/RB:d {3}", True, self.number(self.rng.randint(2, 9) * 10)
        if draw < 0.84:
            return f"这/DT:d {measure}", "this/DT:d", False, NOTHING
        if draw < 0.89:
            return "该/DT:d", "the/DT:d", False, NOTHING
        if draw < 0.93 and kind not in _FEW:
            hundreds = self.number(self.rng.randint(1, 9) * 100)
            return f"{{3}} 多/CD:d {measure}", "more/JJR:d than/IN:d {3}", True, hundreds
        if draw < 0.97:
            return "许多/CD:d", "many/JJ:d", True, NOTHING
        return "一些/CD:d", "some/DT:d", True, NOTHING

    def adjective(self, kind: str) -> Phrase:
        fitting = [entry for entry in lexicon.ADJECTIVES if kind in entry.kinds]
        if not fitting:
            return NOTHING
        entry = self.rng.choice(fitting)
        zh = entry.zh if "/" in entry.zh else f"{entry.zh}/{'VA' if entry.de else 'JJ'}"
        return join(f"{zh}:a {'的/DEC' if entry.de else ''}", f"{entry.en}/JJ:a")

    def relative(self, kind: str, plural: bool) -> Phrase:
        """Before the noun in Chinese, after it in English."""
        draw = self.rng.random()
        if kind == "people" and draw < 0.3:
            return join("来自/VV:f {0} 的/DEC", "from/IN:f {0}", self.place())
        if kind == "people" and draw < 0.5:
            where = join("在/P:i {0}", "in/IN:i {0}", self.place())
            verb = self.wording("working/VBG:w", f"who/WP:r? {'work/VBP' if plural else 'works/VBZ'}:w")
            return join("{0} 工作/VV:w 的/DEC:r?", f"{verb} {{0}}", where)
        if kind == "event" and draw < 0.7:
            place = join("在/P:i {0}", "in/IN:i {0}", self.place())
            who = self.wording("", f"that/WDT:r? {'were' if plural else 'was'}/VBD")
            return join("{0} 举行/VV:h 的/DEC:r?", f"{who} held/VBN:h {{0}}", place)
        objects = [frame for frame in lexicon.FRAMES if frame.obj == kind and frame.verb.passive]
        subjects = [frame for frame in lexicon.FRAMES if frame.subject == kind and frame.obj != "question"]
        if subjects and (draw < 0.8 or not objects):
            return self._subject_relative(self.rng.choice(subjects), plural)
        if not objects:
            return NOTHING
        return self._object_relative(self.rng.choice(objects), plural)

    def _subject_relative(self, frame: lexicon.Frame, plural: bool) -> Phrase:
        """曾 访问 过 中国 的 学者 = scholars who once visited China; 生产 汽车 的 公司 = companies producing cars"""
        what = Predicate(frame.verb, self.phrase(frame.obj, 1))
        gap = NOTHING._replace(plural=plural)
        if self.chance(0.5) or frame.subject == "suspects":
            inner = clause(gap, what, "experience")
            return join("{0} 的/DEC:r?", "who/WP:r? {0}" if frame.subject != "firm" else "that/WDT:r? {0}", inner)
        if self.paraphrase:
            inner = clause(gap, what, "present")
            return join("{0} 的/DEC:r?", "who/WP:r? {0}" if frame.subject != "firm" else "that/WDT:r? {0}", inner)
        return join("{0} 的/DEC", "{0}", clause(gap, what, "gerund"))

    def _object_relative(self, frame: lexicon.Frame, plural: bool) -> Phrase:
        """法国 公司 生产 的 汽车 = the cars produced by French companies"""
        agent = self.phrase(frame.subject, 1)
        time = self.time("past") if self.chance(0.3) else NOTHING
        gap = NOTHING._replace(plural=plural)
        inner = passive(gap, frame.verb, agent, "bare_past", Adjuncts(time), active_source=True)
        if self.paraphrase:
            return join("{0} 的/DEC:r?", "that/WDT:r? {0}", inner)
        reduced = passive(gap, frame.verb, agent, "reduced", Adjuncts(time), active_source=True)
        return join("{0} 的/DEC:r?", "{0}", reduced)

    # numbers

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

    # times

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


def _cells(noun: Noun, plural: bool) -> tuple[str, str]:
    return noun.zh, noun.plural if plural else noun.singular
