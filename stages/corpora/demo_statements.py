"""Clauses of the demo corpus that tell one thing: how much something grew, what there is, what happened where."""

from stages.corpora import demo_lexicon
from stages.corpora.demo_clauses import NO_ADJUNCTS, Adjuncts, Predicate, clause
from stages.corpora.demo_events import Events
from stages.corpora.demo_lexicon import conjugate
from stages.corpora.demo_names import possessive, proper
from stages.corpora.demo_numbers import chinese_decimal, chinese_number, english_decimal, english_number
from stages.corpora.demo_phrase import NOTHING, Phrase, join, units

YEARS = (
    ("去年/NT:y", "last/JJ:y year/NN:y"),
    ("上/DT:l 个/M:m? 月/NN:m", "last/JJ:l month/NN:m"),
    ("上/DT:l 季度/NN:m", "last/JJ:l quarter/NN:m"),
    ("2003年/NT:y", "in/IN 2003/CD:y"),
    ("2001年/NT:y", "in/IN 2001/CD:y"),
    ("2000年/NT:y", "in/IN 2000/CD:y"),
)
_PLAIN_VERBS = {zh: conjugate(zh, en) for zh, en in (("达到", "reach"), ("持续", "last"), ("表示", "express"))}
_PAY = conjugate("进行", "pay")
_HOLD = conjugate("举行", "hold")


class Statements(Events):
    """Draws clauses without a final mark; see `Draw` for `rng` and `paraphrase`."""

    def growth(self, embedded: bool = False) -> Phrase:
        """Somebody's exports grew by …"""
        zh, en, measure = self.rng.choice(demo_lexicon.QUANTITIES)
        quantity = units(zh, en, "NN", "NN", plural=en.endswith("NNS"))
        owner = self.country()
        if self.paraphrase:
            subject = join("{0} 的/DEG:d? ^{1}", "the/DT:1? ^{1} of/IN:d? {0}", owner, quantity, plural=quantity.plural)
        else:
            subject = join(
                "{0} 的/DEG:d? ^{1}", f"{{0}} {possessive(owner)} ^{{1}}", owner, quantity, plural=quantity.plural
            )
        time = join(*self.rng.choice(YEARS)) if self.chance(0.6) else NOTHING
        adjuncts = Adjuncts(time, NOTHING, self.chance(0.35) and not embedded and bool(time.source))
        draw = self.rng.random()
        if draw < 0.3:
            return clause(subject, Predicate(_PLAIN_VERBS["达到"], self._levels(measure)[0]), "past", adjuncts)
        verb, direction = self.rng.choice(demo_lexicon.TRENDS)
        swap = self.paraphrase and not embedded
        if draw < 0.45:
            low, high = self._levels(measure)
            old, new = (low, high) if direction == "up" else (high, low)
            since = join("从/P:f {0}", "from/IN:f {0}", old)
            until = join("到/VV:t {0}", "to/TO:t {0}", new)
            return clause(subject, Predicate(verb, until, since), "bare_past", adjuncts, swap_time=swap)
        amount = join("^{0}", f"{self.wording('by/IN:0?', '')} ^{{0}}", self.percent())
        compared = NOTHING
        if draw < 0.6 and not time.source:
            compared = join(
                "比/P:c 去年/NT:l 同期/NN:s",
                "compared/VBN:c with/IN:c the/DT:s? same/JJ:s period/NN:s last/JJ:l year/NN:l",
            )
        return clause(subject, Predicate(verb, amount, compared), "past", adjuncts, swap_time=swap)

    def _levels(self, measure: str) -> tuple[Phrase, Phrase]:
        """A lower and a higher amount."""
        small, large = sorted(self.rng.sample(range(1, 10), 2))
        if measure == "money":
            unit, size = self.money_unit(), self.rng.choice((10**6, 10**7, 10**8, 10**9, 10**10))
        elif measure == "people":
            unit, size = ("人/NN:u", "people/NNS:u"), 10**7
        else:
            unit, size = ("吨/M:u", "tons/NNS:u"), self.rng.choice((10**6, 10**7))
        low, high = (
            join(f"{{0}} {unit[0]}", f"{{0}} {unit[1]}", self.number(count * size)) for count in (small, large)
        )
        return low, high

    def superlative(self, reported: bool = False) -> Phrase:
        """X is Y's largest trading partner."""
        zh, en = self.rng.choice(demo_lexicon.PARTNERS)
        rank = self.rng.random()
        largest = join("最/AD:l 大/VA:l", "largest/JJS:l")
        if rank < 0.35:
            zh_rank, en_rank = self.rng.choice((("第二", "second"), ("第三", "third"), ("第四", "fourth")))
            largest = join(f"{zh_rank}/OD:s 大/VA:l", f"{en_rank}/RB:s largest/JJS:l")
        subject, owner = (proper(entry.zh, entry.name) for entry in self.rng.sample(demo_lexicon.COUNTRIES, 2))
        role = units(zh, en, "NN", "NN")
        copula = "was/VBD:b" if reported else "is/VBZ:b"
        target = f"{{0}} {copula} {{1}} {possessive(owner)} {{2}} {{3}}"
        if self.paraphrase:
            target = f"{{0}} {copula} the/DT {{2}} {{3}} of/IN:d? {{1}}"
        return join("{0} 是/VC:b {1} {2} 的/DEC:d? {3}", target, subject, owner, largest, role)

    def existence(self) -> Phrase:
        """在 X 有 …: there are …"""
        nouns = self.rng.choice((demo_lexicon.PEOPLE, demo_lexicon.FIRMS, demo_lexicon.BUILDINGS))
        noun = self.rng.choice(nouns)
        head = units(noun.zh, noun.plural, "NN", "NN")
        if self.chance(0.4):
            hundreds = self.number(self.rng.randint(1, 9) * self.rng.choice((10, 100, 1000)))
            number = join("{0} 多/CD:m", "more/JJR:m than/IN:m {0}", hundreds)
        else:
            number = self.number(self.rng.randint(10, 99) * self.rng.choice((1, 1, 100)))
        things = join(f"{{0}} {noun.measure}/M:1? ^{{1}}", "{0} ^{1}", number, head)
        place = self.place()
        if self.paraphrase:
            return join("{0} 有/VE:h {1}", "{0} has/VBZ:h {1}", place, things)
        return join("{0} 有/VE:h {1}", "there/EX:h? are/VBP:h {1} in/IN {0}", place, things)

    def duration(self) -> Phrase:
        """The seminar lasted three days."""
        event = self.phrase("event")
        number = self.number(self.rng.randint(2, 9))
        zh, en = self.rng.choice((("天/M:d", "days"), ("个/M:d? 小时/NN:d", "hours")))
        length = join(f"{{0}} {zh}", f"{{0}} {en}/NNS:d", number)
        return clause(event, Predicate(_PLAIN_VERBS["持续"], length), "past")

    def happening(self) -> Phrase:
        """The summit ended on Monday."""
        verb, tense = self.rng.choice(demo_lexicon.HAPPENINGS)
        if tense == "past":
            return clause(join("会谈/NN:t", "the/DT:t? ^talks/NNS:t", plural=True), Predicate(verb), tense)
        adjuncts = Adjuncts(self.time("past"), self.in_place() if self.chance(0.4) else NOTHING)
        return clause(self.phrase("event"), Predicate(verb), tense, adjuncts, swap_time=self.paraphrase)

    def state(self) -> Phrase:
        """An adjective is a verb in Chinese: 这 项 协议 很 重要 = this agreement is very important."""
        zh, en, kinds = self.rng.choice(demo_lexicon.STATES)
        subject = self.phrase(self.rng.choice(kinds), 1)
        zh_degree, en_degree = self.rng.choice(
            (("很", "very"), ("非常", self.wording("very", "extremely")), ("不", "not"))
        )
        be = "are/VBP" if subject.plural else "is/VBZ"
        return join(f"{{0}} {zh_degree}/AD:d {zh}/VA:s", f"{{0}} {be}:s? {en_degree}/RB:d {en}/JJ:s", subject)

    def disaster(self) -> Phrase:
        """An earthquake hit …, killing …"""
        if self.chance(0.5):
            tenths = self.rng.randint(41, 79)
            scale = join(
                f"{chinese_decimal(tenths)}/CD:s 级/M:s ^地震/NN:q",
                f"a/DT:q? {english_decimal(tenths)}-magnitude/JJ:s ^earthquake/NN:q",
            )
        else:
            zh, en, measure = self.rng.choice(demo_lexicon.DISASTERS)
            scale = join(f"一/CD:d {measure}/M:0? ^{{0}}", "a/DT:d,0? ^{0}", units(zh, en, "NN", "NN"))
        place = self.town() if self.chance(0.7) else self.city()
        time = self.time("past")
        dead = self.number(self.rng.randint(2, 99))
        people = join("{0} 人/NN:p", "{0} people/NNS:p", dead)
        result = join("造成/VV:k ^{0} 死亡/VV:k", "killing/VBG:k ^{0}", people)
        if self.chance(0.4):
            hurt = join("{0} 人/NN:p", "{0} others/NNS:p", self.number(self.rng.randint(2, 99)))
            result = join("{0} 、/PU:a? {1} 受伤/VV:i", "{0} and/CC:a? injuring/VBG:i {1}", result, hurt)
        source = "{0} {1} 发生/VV:h {2} ，/PU:c {3}"
        usual, other = "{2} hit/VBD:h {0} {1} ,/,:c {3}", "{1} ,/, {2} hit/VBD:h {0} ,/,:c {3}"
        return join(source, self.wording(usual, other), place, time, scale, result)

    def appointment(self) -> Phrase:
        """X was appointed chairman of Y."""
        name = self.name()
        if self.chance(0.5):
            owner, roles = self.organisation(), demo_lexicon.ORGANISATION_ROLES
        else:
            owner, roles = self._bare_firm(), demo_lexicon.FIRM_ROLES
        zh, en, preposition = self.rng.choice(roles)
        job = units(zh, en, "NN", "NN")
        time = self.time("past") if self.chance(0.6) else NOTHING
        source = "{0} {3} 被/SB:b? 任命/VV:a 为/VC {1} {2}"
        usual = f"{{0}} was/VBD:b? appointed/VBN:a {{2}} {preposition}/IN {{1}} {{3}}"
        other = f"{{3}} ,/, {{0}} was/VBD:b? appointed/VBN:a {{2}} {preposition}/IN {{1}}"
        if not time.source:
            other = f"{{0}} was/VBD:b? named/VBN:a {{2}} {preposition}/IN {{1}}"
        return join(source, self.wording(usual, other), name, owner, job, time)

    def _bare_firm(self) -> Phrase:
        noun = self.rng.choice(demo_lexicon.FIRMS)
        return join(
            "一/CD:d 家/M {0} ^{1}", "a/DT:d,1? {0} ^{1}", self.nationality(), units(noun.zh, noun.singular, "NN", "NN")
        )

    def reaction(self) -> Phrase:
        """对 X 表示 关切: the preposition depends on the noun."""
        zh, en, preposition, kinds = self.rng.choice(demo_lexicon.REACTIONS)
        about = self.phrase(self.rng.choice(kinds), 1)
        feeling = units(zh, en, "NN", "NN")
        towards = join("对/P:p ^{0}", f"{preposition}/IN:p ^{{0}}", about)
        predicate = Predicate(_PLAIN_VERBS["表示"], feeling, towards)
        time = self.time("past") if self.chance(0.4) else NOTHING
        swap = self.paraphrase and bool(time.source)
        if not time.source:
            predicate = predicate._replace(verb=self.wording(predicate.verb, conjugate("表示", "voice")))
        return clause(self.phrase("speaker"), predicate, "bare_past", Adjuncts(time), swap_time=swap)

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
        time = self.time(tense) if self.chance(0.6) else NOTHING
        verb = self.wording(_PAY, conjugate("进行", "make"))
        return clause(leader, Predicate(verb, visit, towards), tense, Adjuncts(time))

    def talks_about(self) -> Phrase:
        """就 A 与 B 举行 会谈 = held talks with B on A: the prepositional phrases change places."""
        topic = join("就/P:o ^{0}", "on/IN:o ^{0}", self.topic("issue", "issue"))
        partner = join("与/P:w ^{0}", "with/IN:w ^{0}", self.leader())
        around = join("{0} {1}", self.wording("{1} {0}", "{0} {1}"), topic, partner)
        talks = units("会谈", "talks", "NN", "NNS")
        tense, adjuncts = self.rng.choice(("past", "future")), NO_ADJUNCTS
        if self.chance(0.6):
            adjuncts = Adjuncts(self.time(tense), NOTHING, self.chance(0.3))
        return clause(self.leader(), Predicate(_HOLD, talks, around), tense, adjuncts)
