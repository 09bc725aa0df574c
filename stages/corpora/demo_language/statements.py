"""Clauses of the demo corpus that tell one thing: how much something grew, what there is, what happened where."""

from stages.corpora.demo_language.clauses import NO_ADJUNCTS, Adjuncts, Predicate, clause
from stages.corpora.demo_language.events import Events
from stages.corpora.demo_language.lexicon import Verb, conjugate, nouns
from stages.corpora.demo_language.names import possessive
from stages.corpora.demo_language.notation import NOTHING, Phrase, join, units
from stages.corpora.demo_language.numbers import chinese_decimal, chinese_number, english_decimal, english_number


class Statements(Events):
    """Draws clauses without a final mark; see `Names` for `rng` and `paraphrase`."""

    def growth(self, embedded: bool = False) -> Phrase:
        """Somebody's exports grew by …"""
        zh, en, measure = self.entry("quantities")
        subject = self.quantity_of(self.country(), zh, en, of=self.paraphrase)
        time = self.templated("years") if self.chance(0.6) else NOTHING
        adjuncts = Adjuncts(time, NOTHING, self.chance(0.35) and not embedded and bool(time.source))
        draw = self.rng.random()
        if draw < 0.3:
            return clause(subject, Predicate(conjugate("达到", "reach"), self._levels(measure)[0]), "past", adjuncts)
        verb, direction = self.trend()
        swap = self.paraphrase and not embedded
        if draw < 0.45:
            low, high = self._levels(measure)
            old, new = (low, high) if direction == "up" else (high, low)
            since = join("从/P:f {0}", "from/IN:f {0}", old)
            until = join("到/VV:t {0}", "to/TO:t {0}", new)
            return clause(subject, Predicate(verb, until, since), "bare_past", adjuncts, swap_time=swap)
        amount, compared = self.amount(), NOTHING
        if draw < 0.6 and not time.source:
            compared = join(
                "比/P:c 去年/NT:l 同期/NN:s",
                "compared/VBN:c with/IN:c the/DT:s? same/JJ:s period/NN:s last/JJ:l year/NN:l",
            )
        return clause(subject, Predicate(verb, amount, compared), "past", adjuncts, swap_time=swap)

    def trend(self) -> tuple[Verb, str]:
        zh, en, direction = self.entry("trends")
        return conjugate(zh, en), direction

    def quantity_of(self, owner: Phrase, zh: str, en: str, of: bool = False) -> Phrase:
        quantity = units(zh, en, "NN", "NN", plural=en.endswith("NNS"))
        target = "the/DT:1? ^{1} of/IN:d? {0}" if of else f"{{0}} {possessive(owner)} ^{{1}}"
        return join("{0} 的/DEG:d? ^{1}", target, owner, quantity, plural=quantity.plural)

    def amount(self) -> Phrase:
        return join("^{0}", f"{self.wording('by/IN:0?', '')} ^{{0}}", self.percent())

    def _levels(self, measure: str) -> tuple[Phrase, Phrase]:
        """A lower and a higher amount."""
        small, large = sorted(self.rng.sample(range(1, 10), 2))
        if measure == "money":
            (zh, en), size = self.entry("money"), self.rng.choice((10**6, 10**7, 10**8, 10**9, 10**10))
        elif measure == "people":
            zh, en, size = "人/NN:u", "people/NNS:u", 10**7
        else:
            zh, en, size = "吨/M:u", "tons/NNS:u", self.rng.choice((10**6, 10**7))
        low, high = (join(f"{{0}} {zh}", f"{{0}} {en}", self.number(count * size)) for count in (small, large))
        return low, high

    def superlative(self, reported: bool = False) -> Phrase:
        """X is Y's largest trading partner."""
        zh, en = self.entry("partners")
        if self.rng.random() < 0.35:
            zh_rank, en_rank = self.entry("ranks")
            largest = join(f"{zh_rank}/OD:s 大/VA:l", f"{en_rank}/RB:s largest/JJS:l")
        else:
            largest = join("最/AD:l 大/VA:l", "largest/JJS:l")
        subject, owner = self.countries(2)
        copula = "was/VBD:b" if reported else "is/VBZ:b"
        usual = f"{{0}} {copula} {{1}} {possessive(owner)} {{2}} {{3}}"
        target = self.wording(usual, f"{{0}} {copula} the/DT {{2}} {{3}} of/IN:d? {{1}}")
        role = units(zh, en, "NN", "NN")
        return join("{0} 是/VC:b {1} {2} 的/DEC:d? {3}", target, subject, owner, largest, role)

    def existence(self) -> Phrase:
        """在 X 有 …: there are …"""
        noun = self.rng.choice(
            self.rng.choice((nouns("experts", "staff", "civilians"), nouns("firms"), nouns("buildings")))
        )
        head = units(noun.zh, noun.plural, "NN", "NN")
        if self.chance(0.4):
            hundreds = self.number(self.rng.randint(1, 9) * self.rng.choice((10, 100, 1000)))
            number = join("{0} 多/CD:m", "more/JJR:m than/IN:m {0}", hundreds)
        else:
            number = self.number(self.rng.randint(10, 99) * self.rng.choice((1, 1, 100)))
        things = join(f"{{0}} {noun.measure}/M:1? ^{{1}}", "{0} ^{1}", number, head)
        target = self.wording("there/EX:h? are/VBP:h {1} in/IN {0}", "{0} has/VBZ:h {1}")
        return join("{0} 有/VE:h {1}", target, self.place(), things)

    def duration(self) -> Phrase:
        """The seminar lasted three days."""
        event = self.phrase("event")
        number = self.number(self.rng.randint(2, 9))
        zh, en = self.entry("durations")
        length = join(f"{{0}} {zh}", f"{{0}} {en}/NNS:d", number)
        return clause(event, Predicate(conjugate("持续", "last"), length), "past")

    def happening(self) -> Phrase:
        """The summit ended on Monday."""
        zh, en, tense = self.entry("happenings")
        verb = Predicate(conjugate(zh, en))
        if tense == "past":
            return clause(join("会谈/NN:t", "the/DT:t? ^talks/NNS:t", plural=True), verb, tense)
        adjuncts = Adjuncts(self.time("past"), self.in_place() if self.chance(0.4) else NOTHING)
        return clause(self.phrase("event"), verb, tense, adjuncts, swap_time=self.paraphrase)

    def state(self) -> Phrase:
        """An adjective is a verb in Chinese: 这 项 协议 很 重要 = this agreement is very important."""
        zh, en, kinds = self.entry("states")
        subject = self.phrase(self.rng.choice(kinds.split()), 1)
        zh_degree, usual, other = self.entry("degrees")
        target = f"{{0}} {'are/VBP' if subject.plural else 'is/VBZ'}:s? {self.wording(usual, other)}/RB:d {en}/JJ:s"
        return join(f"{{0}} {zh_degree}/AD:d {zh}/VA:s", target, subject)

    def disaster(self) -> Phrase:
        """An earthquake hit …, killing …"""
        if self.chance(0.5):
            tenths = self.rng.randint(41, 79)
            magnitude = f"a/DT:q? {english_decimal(tenths)}-magnitude/JJ:s ^earthquake/NN:q"
            scale = join(f"{chinese_decimal(tenths)}/CD:s 级/M:s ^地震/NN:q", magnitude)
        else:
            zh, en, measure = self.entry("disasters")
            scale = join(f"一/CD:d {measure}/M:0? ^{{0}}", "a/DT:d,0? ^{0}", units(zh, en, "NN", "NN"))
        place = self.town() if self.chance(0.7) else self.city()
        time = self.time("past")
        people = join("{0} 人/NN:p", "{0} people/NNS:p", self.number(self.rng.randint(2, 99)))
        result = join("造成/VV:k ^{0} 死亡/VV:k", "killing/VBG:k ^{0}", people)
        if self.chance(0.4):
            hurt = join("{0} 人/NN:p", "{0} others/NNS:p", self.number(self.rng.randint(2, 99)))
            result = join("{0} 、/PU:a? {1} 受伤/VV:i", "{0} and/CC:a? injuring/VBG:i {1}", result, hurt)
        source = "{0} {1} 发生/VV:h {2} ，/PU:c {3}"
        usual, other = "{2} hit/VBD:h {0} {1} ,/,:c {3}", "{1} ,/, {2} hit/VBD:h {0} ,/,:c {3}"
        return join(source, self.wording(usual, other), place, time, scale, result)

    def appointment(self) -> Phrase:
        """X was appointed chairman of Y."""
        name, in_organisation = self.name(), self.chance(0.5)
        owner = self.organisation() if in_organisation else self._bare_firm()
        zh, en, preposition = self.entry("organisation roles" if in_organisation else "firm roles")
        job, time = units(zh, en, "NN", "NN"), self.time_or_nothing(0.6, "past")
        source = "{0} {3} 被/SB:b? 任命/VV:a 为/VC {1} {2}"
        usual = f"{{0}} was/VBD:b? appointed/VBN:a {{2}} {preposition}/IN {{1}} {{3}}"
        other = f"{{3}} ,/, {{0}} was/VBD:b? appointed/VBN:a {{2}} {preposition}/IN {{1}}"
        if not time.source:
            other = f"{{0}} was/VBD:b? named/VBN:a {{2}} {preposition}/IN {{1}}"
        return join(source, self.wording(usual, other), name, owner, job, time)

    def _bare_firm(self) -> Phrase:
        noun = self.rng.choice(nouns("firms"))
        firm = units(noun.zh, noun.singular, "NN", "NN")
        return join("一/CD:d 家/M {0} ^{1}", "a/DT:d,1? {0} ^{1}", self.nationality(), firm)

    def reaction(self) -> Phrase:
        """对 X 表示 关切: the preposition depends on the noun."""
        zh, en, preposition, kinds = self.entry("reactions")
        about = self.phrase(self.rng.choice(kinds.split()), 1)
        towards = join("对/P:p ^{0}", f"{preposition}/IN:p ^{{0}}", about)
        time = self.time_or_nothing(0.4, "past")
        verb = conjugate("表示", "express" if time.source else self.wording("express", "voice"))
        predicate = Predicate(verb, units(zh, en, "NN", "NN"), towards)
        return clause(self.phrase("speaker"), predicate, "bare_past", Adjuncts(time), swap_time=self.paraphrase)

    def visit(self) -> Phrase:
        """对 X 进行 为期 三 天 的 访问: paid a three-day visit to X"""
        leader, place = self.leader(), self.place()
        number = self.rng.randint(2, 9)
        length = join(
            f"为期/VV {chinese_number(number, True)}/CD:d 天/M:d 的/DEC", f"{english_number(number)}-day/JJ:d"
        )
        visit = join("{0} ^访问/NN:v", "a/DT:v? {0} ^visit/NN:v", length)
        towards = join("对/P:t ^{0}", "to/TO:t ^{0}", place)
        tense = self.rng.choice(("past", "past", "future"))
        adjuncts = Adjuncts(self.time_or_nothing(0.6, tense))
        return clause(
            leader, Predicate(conjugate("进行", self.wording("pay", "make")), visit, towards), tense, adjuncts
        )

    def talks_about(self) -> Phrase:
        """就 A 与 B 举行 会谈 = held talks with B on A: the prepositional phrases change places."""
        topic = join("就/P:o ^{0}", "on/IN:o ^{0}", self.topic("issue", "issue"))
        partner = join("与/P:w ^{0}", "with/IN:w ^{0}", self.leader())
        around = join("{0} {1}", self.wording("{1} {0}", "{0} {1}"), topic, partner)
        talks = units("会谈", "talks", "NN", "NNS")
        tense, adjuncts = self.rng.choice(("past", "future")), NO_ADJUNCTS
        if self.chance(0.6):
            adjuncts = Adjuncts(self.time(tense), NOTHING, self.chance(0.3))
        return clause(self.leader(), Predicate(conjugate("举行", "hold"), talks, around), tense, adjuncts)
