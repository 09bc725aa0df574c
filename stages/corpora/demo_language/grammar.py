"""Sentences of the demo corpus: statements as they are, reported, joined to others and repeated in long lists."""

from stages.corpora.demo_language.clauses import Adjuncts, Predicate, clause
from stages.corpora.demo_language.lexicon import FRAMES, conjugate, entries, nouns
from stages.corpora.demo_language.names import proper
from stages.corpora.demo_language.notation import NOTHING, Phrase, join, units
from stages.corpora.demo_language.nouns import listing
from stages.corpora.demo_language.statements import Statements

_FAVOUR = (conjugate("支持", "support"), conjugate("欢迎", "welcome"))
_OPPOSE = conjugate("反对", "oppose")
# Chinese | English | English with the clauses the other way round
_CONNECTIVES = {name: templates for name, *templates in entries("connectives")}
# the tenses that the two clauses may have
_TENSES_JOINED = {
    "if": (("present", "not_present"), ("future", "not_future", "may")),
    "although": (("perfect",), ("not_past",)),
    "because": (("not_past",), ("future", "past")),
    "after": (("past",), ("past",)),
    "while": (("past",), ("past",)),
}


class Grammar(Statements):
    """Draws whole sentences; see `Names` for `rng` and `paraphrase`."""

    def sentence(self) -> Phrase:
        """A whole sentence with its final punctuation."""
        if self.chance(0.03):
            return join("{0} 吗/SP ？/PU:s", "{0} ?/.:s", self.question())
        weights = {
            self.statement: 24,
            self.passive_statement: 7,
            self.speech: 14,
            self.according_to: 4,
            self.growth: 9,
            self.superlative: 5,
            self.existence: 5,
            self.disposal: 6,
            self.intention: 6,
            self.demand: 5,
            self.complex_sentence: 6,
            self.two_verbs: 4,
            self.disaster: 5,
            self.appointment: 4,
            self.reaction: 5,
            self.visit: 3,
            self.talks_about: 3,
            self.duration: 6,
            self.happening: 7,
            self.state: 10,
            self.attendance_list: 4,
            self.list_of_subjects: 3,
            self.list_of_goods: 4,
            self.parallel_growth: 4,
            self.parallel_positions: 3,
        }
        draw = self.rng.choices(list(weights), list(weights.values()))[0]
        return join("{0} 。/PU:s", "{0} ./.:s", draw())

    def speech(self) -> Phrase:
        """X said that …, perhaps at an event, perhaps `also`."""
        zh, en, other, tense = self.entry("sayings")
        content = self._content(reported=tense == "bare_past")
        manner = self.rng.random()
        if manner < 0.12:
            he_zh, he_en = self.rng.choice((("他", "he"), ("她", "she")))
            speaker = join(f"{he_zh}/PN:h 还/AD:a", f"{he_en}/PRP:h also/RB:a")
        else:
            speaker = self.leader() if manner < 0.8 else self.body()
        place = self._at_event() if tense == "bare_past" and 0.12 <= manner < 0.45 else NOTHING
        saying = Predicate(conjugate(zh, self.wording(en, other)))
        return join(
            "{0} ，/PU {1}", "{0} that/IN {1}", clause(speaker, saying, tense, Adjuncts(NOTHING, place)), content
        )

    def _content(self, reported: bool) -> Phrase:
        draw = self.rng.random()
        if draw < 0.65:
            return self.statement(reported)
        if draw < 0.85:
            return self.growth(embedded=True)
        return self.superlative(reported) if draw < 0.93 else self.intention(reported)

    def _at_event(self) -> Phrase:
        """在 … 上 = at, a word on either side of the noun in Chinese."""
        gatherings = [noun for noun in nouns("events") if noun.zh not in ("选举", "音乐会", "比赛", "军事 演习")]
        noun = self.rng.choice(gatherings)
        head = units(noun.zh, noun.singular, "NN", "NN")
        if self.chance(0.4):
            return join("在/P:a 一/CD:d 次/M ^{0} 上/LC:a", "at/IN:a a/DT:d,0? ^{0}", head)
        return join("在/P:a ^{0} 上/LC:a", "at/IN:a the/DT:0? ^{0}", head)

    def according_to(self) -> Phrase:
        agency, content = proper(*self.entry("agencies")), self._content(reported=False)
        if self.paraphrase:
            return join("据/P {0} 报道/VV:r ，/PU {1}", "{0} reported/VBD:r that/IN {1}", agency, content)
        return join("据/P:a {0} 报道/VV:a? ，/PU:c {1}", "according/VBG:a to/TO:a {0} ,/,:c {1}", agency, content)

    def intention(self, reported: bool = False) -> Phrase:
        """decided to …"""
        zh, en, tense = self.entry("infinitives")
        subject, predicate, _, _ = self.event()
        place = self.in_place() if self.chance(0.15) else NOTHING
        plan = clause(NOTHING, predicate, "infinitive", Adjuncts(self.time_or_nothing(0.25, "future"), place))
        return clause(subject, Predicate(conjugate(zh, en), plan), tense, reported=reported)

    def demand(self) -> Phrase:
        """asked somebody to …"""
        verb = conjugate(*self.entry("controls"))
        _, predicate, _, _ = self.event(("authority", "speaker", "trader"))
        speaker, addressee = self.phrase("speaker"), self.phrase("authority")
        action = clause(NOTHING, predicate, "infinitive")
        return clause(speaker, Predicate(verb, join("{0} {1}", "{0} {1}", addressee, action)), "bare_past")

    def two_verbs(self) -> Phrase:
        """…, 并 …: two predicates of one subject."""
        subject = self.leader()
        first, second = (self._leader_event() for _ in range(2))
        adjuncts = Adjuncts(self.time_or_nothing(0.5, "past"))
        opening = clause(subject, first, "past", adjuncts, swap_time=self.paraphrase)
        return join("{0} ，/PU 并/CC:a {1}", "{0} and/CC:a {1}", opening, clause(NOTHING, second, "past"))

    def _leader_event(self) -> Predicate:
        frame = self.rng.choice([frame for frame in FRAMES if frame.subject == "leader"])
        return Predicate(frame.verb, self.phrase(frame.obj, 1))

    def complex_sentence(self) -> Phrase:
        """If, although, because, after, while: two clauses; the English paraphrase has them the other way round."""
        kind = self.rng.choice(("if", "if", "although", "because", "after", "while"))
        events = [self.event()[:2] for _ in range(2)]
        tenses = [self.rng.choice(may) if len(may) > 1 else may[0] for may in _TENSES_JOINED[kind]]
        clauses = [clause(*event, tense) for event, tense in zip(events, tenses, strict=True)]
        source, usual, other = _CONNECTIVES[kind]
        return join(source, self.wording(usual, other), *clauses)

    def _several(self, least: int, most: int) -> int:
        """Short lists are commoner than long ones."""
        return min(self.rng.randint(least, most), self.rng.randint(least, most + 2))

    def _colleagues(self, count: int) -> Phrase:
        """法国 外交 部长 X 、 德国 外交 部长 Y …: the same title again and again."""
        zh, capital, _ = self.entry("titles")
        return listing([self.titled(units(zh, capital, "NN", "NNP")) for _ in range(count)])

    def attendance_list(self) -> Phrase:
        """出席 … 的 有 …: the list comes after the verb in both languages, or first in the paraphrase."""
        if self.chance(0.7):
            guests = self._colleagues(self._several(2, 8))
        else:
            guests = listing(self.countries(self._several(3, 9)))
        target = self.wording("those/DT attending/VBG:a {0} included/VBD:h? {1}", "{1} attended/VBD:a {0}")
        return join("出席/VV:a {0} 的/DEC 有/VE:h? {1}", target, self.phrase("event", 1), guests)

    def list_of_subjects(self) -> Phrase:
        if self.chance(0.5):
            subjects = listing(self.countries(self._several(3, 10)))
        else:
            subjects = self._colleagues(self._several(2, 6))
        frame = self.rng.choice([frame for frame in FRAMES if frame.verb.zh in ("签署", "讨论", "参加")])
        tense, adjuncts = self.setting(False, can_front=False)
        what = Predicate(frame.verb, self.phrase(frame.obj, 1))
        return clause(subjects, what, tense, adjuncts, swap_time=self.paraphrase)

    def list_of_goods(self) -> Phrase:
        commodities = self.rng.sample(nouns("commodities"), self._several(2, 8))
        goods = listing([self.tons(commodity) for commodity in commodities])
        verb, base, zh, en = self.rng.choice(
            (("进口", "import", "从", "from"), ("出口", "export", "向", "to"), ("购买", "buy", "从", "from"))
        )
        trader, partner = self.countries(2)
        other = join(f"{zh}/P:p ^{{0}}", f"{en}/IN:p ^{{0}}", partner) if self.chance(0.7) else NOTHING
        tense, adjuncts = self.setting(False, can_front=True)
        what = Predicate(conjugate(verb, base), goods, other)
        return clause(trader, what, tense, adjuncts, swap_time=self.paraphrase)

    def parallel_growth(self) -> Phrase:
        """The same clause for one country after the other."""
        zh, en, _ = self.entry("quantities")
        time = self.templated("years")
        parts = []
        for country in self.countries(self._several(2, 6)):
            verb, _ = self.trend()
            parts.append(clause(self.quantity_of(country, zh, en), Predicate(verb, self.amount()), "past"))
        return join("{0} ，/PU:c {1}", "{0} ,/,:c {1}", time, _clauses(parts))

    def parallel_positions(self) -> Phrase:
        """A supported …, B opposed …"""
        document, same = self.rng.choice(nouns("documents")), self.chance(0.5)
        countries = self.countries(self._several(2, 6))
        positions = self.rng.choices((*_FAVOUR, _OPPOSE), k=len(countries) - 1)
        positions.append(_OPPOSE if positions[-1] is not _OPPOSE else self.rng.choice(_FAVOUR))
        parts = []
        for country, verb in zip(countries, positions, strict=True):
            thing = units(document.zh, document.singular, "NN", "NN")
            thing = join(f"这/DT:t {document.measure}/M:0? ^{{0}}", "this/DT:t ^{0}", thing)
            parts.append(clause(country, Predicate(verb, thing if same else self.phrase("document", 1)), "present"))
        return _clauses(parts)


def _clauses(parts: list[Phrase]) -> Phrase:
    """A ， B ， 而 C = A , B , while C"""
    source, target, last = "{0}", "{0}", len(parts) - 1
    for number in range(1, last):
        source += f" ，/PU:c{number} {{{number}}}"
        target += f" ,/,:c{number} {{{number}}}"
    return join(f"{source} ，/PU:last 而/CC:w {{{last}}}", f"{target} ,/,:last while/IN:w {{{last}}}", *parts)
