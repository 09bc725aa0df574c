"""Sentences of the demo corpus: statements as they are, reported, joined to others and repeated in long lists."""

from collections.abc import Callable
from random import Random

from stages.corpora import demo_lexicon
from stages.corpora.demo_clauses import Adjuncts, Predicate, clause
from stages.corpora.demo_events import by_subject
from stages.corpora.demo_lexicon import conjugate
from stages.corpora.demo_names import possessive, proper
from stages.corpora.demo_nouns import listing
from stages.corpora.demo_phrase import NOTHING, Phrase, join, units
from stages.corpora.demo_statements import YEARS, Statements

_INSTITUTIONS = frozenset({"authority", "speaker", "trader"})
_LEADERS = frozenset({"leader"})
_GATHERINGS = tuple(noun for noun in demo_lexicon.EVENTS if noun.zh not in ("选举", "音乐会", "比赛", "军事 演习"))
_FAVOUR = (conjugate("支持", "support"), conjugate("欢迎", "welcome"))
_OPPOSE = conjugate("反对", "oppose")
# Chinese | English | English with the clauses the other way round
_CONNECTIVES = {
    "if": ("如果/CS:i {0} ，/PU:c {1}", "if/IN:i {0} ,/,:c {1}", "{1} if/IN:i {0}"),
    "although": (
        "虽然/CS:a {0} ，/PU:c 但是/AD:a? {1}",
        "although/IN:a {0} ,/,:c {1}",
        "{0} ,/,:c but/CC:a {1}",
    ),
    "because": ("因为/P:b {0} ，/PU:c 所以/AD:b? {1}", "because/IN:b {0} ,/,:c {1}", "{1} because/IN:b {0}"),
    "after": ("在/P:a? {0} 之后/LC:a ，/PU:c {1}", "after/IN:a {0} ,/,:c {1}", "{1} after/IN:a {0}"),
    "while": ("{0} ，/PU:c 而/CC:w {1}", "{0} ,/,:c while/IN:w {1}", "while/IN:w {0} ,/,:c {1}"),
}


class Grammar(Statements):
    """Draws whole sentences; see `Draw` for `rng` and `paraphrase`."""

    def __init__(self, rng: Random, paraphrase: bool) -> None:
        super().__init__(rng, paraphrase)
        self._types: tuple[tuple[Callable[[], Phrase], float], ...] = (
            (self.statement, 24),
            (self.passive_statement, 7),
            (self.speech, 14),
            (self.according_to, 4),
            (self.growth, 9),
            (self.superlative, 5),
            (self.existence, 5),
            (self.disposal, 6),
            (self.intention, 6),
            (self.demand, 5),
            (self.complex_sentence, 6),
            (self.two_verbs, 4),
            (self.disaster, 5),
            (self.appointment, 4),
            (self.reaction, 5),
            (self.visit, 3),
            (self.talks_about, 3),
            (self.duration, 6),
            (self.happening, 7),
            (self.state, 10),
            (self.attendance_list, 4),
            (self.list_of_subjects, 3),
            (self.list_of_goods, 4),
            (self.parallel_growth, 4),
            (self.parallel_positions, 3),
        )

    def sentence(self) -> Phrase:
        """A whole sentence with its final punctuation."""
        if self.chance(0.03):
            return join("{0} 吗/SP ？/PU:s", "{0} ?/.:s", self.question())
        draw = self.rng.choices([kind for kind, _ in self._types], [weight for _, weight in self._types])[0]
        return join("{0} 。/PU:s", "{0} ./.:s", draw())

    def speech(self) -> Phrase:
        """X said that …, perhaps at an event, perhaps `also`."""
        verb, synonym, tense = self.rng.choice(demo_lexicon.SAYINGS)
        content = self._content(reported=tense == "bare_past")
        manner = self.rng.random()
        if manner < 0.12:
            zh, en = self.rng.choice((("他", "he"), ("她", "she")))
            speaker = join(f"{zh}/PN:h 还/AD:a", f"{en}/PRP:h also/RB:a")
        else:
            speaker = self.leader() if manner < 0.8 else self.body()
        saying = Predicate(self.wording(verb, synonym))
        saying = saying._replace(verb=saying.verb._replace(zh=verb.zh))
        place = NOTHING
        if tense == "bare_past" and 0.12 <= manner < 0.45:
            place = self._at_event()
        head = clause(speaker, saying, tense, Adjuncts(NOTHING, place))
        return join("{0} ，/PU {1}", "{0} that/IN {1}", head, content)

    def _content(self, reported: bool) -> Phrase:
        draw = self.rng.random()
        if draw < 0.65:
            return self.statement(reported)
        if draw < 0.85:
            return self.growth(embedded=True)
        return self.superlative(reported) if draw < 0.93 else self.intention(reported)

    def _at_event(self) -> Phrase:
        """在 … 上 = at, a word on either side of the noun in Chinese."""
        noun = self.rng.choice(_GATHERINGS)
        head = units(noun.zh, noun.singular, "NN", "NN")
        if self.chance(0.4):
            return join("在/P:a 一/CD:d 次/M ^{0} 上/LC:a", "at/IN:a a/DT:d,0? ^{0}", head)
        return join("在/P:a ^{0} 上/LC:a", "at/IN:a the/DT:0? ^{0}", head)

    def according_to(self) -> Phrase:
        agency = proper(*self.rng.choice(demo_lexicon.AGENCIES))
        content = self._content(reported=False)
        if self.paraphrase:
            return join("据/P {0} 报道/VV:r ，/PU {1}", "{0} reported/VBD:r that/IN {1}", agency, content)
        return join("据/P:a {0} 报道/VV:a? ，/PU:c {1}", "according/VBG:a to/TO:a {0} ,/,:c {1}", agency, content)

    def intention(self, reported: bool = False) -> Phrase:
        """decided to …"""
        verb, tense = self.rng.choice(demo_lexicon.INFINITIVES)
        subject, predicate, _, _ = self.event()
        place = self.in_place() if self.chance(0.15) else NOTHING
        time = self.time("future") if self.chance(0.25) else NOTHING
        plan = clause(NOTHING, predicate, "infinitive", Adjuncts(time, place))
        return clause(subject, Predicate(verb, plan), tense, reported=reported)

    def demand(self) -> Phrase:
        """asked somebody to …"""
        verb = self.rng.choice(demo_lexicon.CONTROLS)
        _, predicate, _, _ = self.event(_INSTITUTIONS)
        speaker, addressee = self.phrase("speaker"), self.phrase("authority")
        action = clause(NOTHING, predicate, "infinitive")
        return clause(speaker, Predicate(verb, join("{0} {1}", "{0} {1}", addressee, action)), "bare_past")

    def two_verbs(self) -> Phrase:
        """…, 并 …: two predicates of one subject."""
        subject = self.leader()
        first, second = (self._leader_event() for _ in range(2))
        time = self.time("past") if self.chance(0.5) else NOTHING
        adjuncts = Adjuncts(time, NOTHING)
        opening = clause(subject, first, "past", adjuncts, swap_time=self.paraphrase and bool(time.source))
        return join("{0} ，/PU 并/CC:a {1}", "{0} and/CC:a {1}", opening, clause(NOTHING, second, "past"))

    def _leader_event(self) -> Predicate:
        frame = self.rng.choice(by_subject(demo_lexicon.FRAMES, _LEADERS))
        return Predicate(frame.verb, self.phrase(frame.obj, 1))

    def complex_sentence(self) -> Phrase:
        """If, although, because, after, while: two clauses; the English paraphrase has them the other way round."""
        kind = self.rng.choice(("if", "if", "although", "because", "after", "while"))
        subjects, predicates = [], []
        for _ in range(2):
            subject, predicate, _, _ = self.event()
            subjects.append(subject)
            predicates.append(predicate)
        if kind == "if":
            condition = clause(subjects[0], predicates[0], self.rng.choice(("present", "not_present")))
            result = clause(subjects[1], predicates[1], self.rng.choice(("future", "not_future", "may")))
        elif kind == "although":
            condition = clause(subjects[0], predicates[0], "perfect")
            result = clause(subjects[1], predicates[1], "not_past")
        elif kind == "because":
            condition = clause(subjects[0], predicates[0], "not_past")
            result = clause(subjects[1], predicates[1], self.rng.choice(("future", "past")))
        else:
            condition = clause(subjects[0], predicates[0], "past")
            result = clause(subjects[1], predicates[1], "past")
        source, usual, other = _CONNECTIVES[kind]
        return join(source, self.wording(usual, other), condition, result)

    def _several(self, least: int, most: int) -> int:
        """Short lists are commoner than long ones."""
        return min(self.rng.randint(least, most), self.rng.randint(least, most + 2))

    def _colleagues(self, count: int) -> Phrase:
        """法国 外交 部长 X 、 德国 外交 部长 Y …: the same title again and again."""
        zh, capital, _ = self.rng.choice(demo_lexicon.TITLES)
        return listing([self.titled(units(zh, capital, "NN", "NNP")) for _ in range(count)])

    def _countries(self, count: int) -> Phrase:
        """Different countries."""
        return listing([proper(entry.zh, entry.name) for entry in self.rng.sample(demo_lexicon.COUNTRIES, count)])

    def attendance_list(self) -> Phrase:
        """出席 … 的 有 …: the list comes after the verb in both languages, or first in the paraphrase."""
        guests = self._colleagues(self._several(2, 8)) if self.chance(0.7) else self._countries(self._several(3, 9))
        event = self.phrase("event", 1)
        usual = "those/DT attending/VBG:a {0} included/VBD:h? {1}"
        other = "{1} attended/VBD:a {0}"
        return join("出席/VV:a {0} 的/DEC 有/VE:h? {1}", self.wording(usual, other), event, guests)

    def list_of_subjects(self) -> Phrase:
        subjects = self._countries(self._several(3, 10)) if self.chance(0.5) else self._colleagues(self._several(2, 6))
        frame = self.rng.choice([frame for frame in demo_lexicon.FRAMES if frame.verb.zh in ("签署", "讨论", "参加")])
        tense, adjuncts = self.setting(False, can_front=False)
        swap = self.paraphrase and bool(adjuncts.time.source)
        return clause(subjects, Predicate(frame.verb, self.phrase(frame.obj, 1)), tense, adjuncts, swap_time=swap)

    def list_of_goods(self) -> Phrase:
        commodities = self.rng.sample(demo_lexicon.COMMODITIES, self._several(2, 8))
        goods = listing([self.tons(commodity) for commodity in commodities])
        verb, zh, en = self.rng.choice((("进口", "从", "from"), ("出口", "向", "to"), ("购买", "从", "from")))
        trader, partner = (proper(entry.zh, entry.name) for entry in self.rng.sample(demo_lexicon.COUNTRIES, 2))
        other = join(f"{zh}/P:p ^{{0}}", f"{en}/IN:p ^{{0}}", partner) if self.chance(0.7) else NOTHING
        frame = next(frame for frame in demo_lexicon.FRAMES if frame.verb.zh == verb)
        tense, adjuncts = self.setting(False, can_front=True)
        swap = self.paraphrase and bool(adjuncts.time.source)
        return clause(trader, Predicate(frame.verb, goods, other), tense, adjuncts, swap_time=swap)

    def parallel_growth(self) -> Phrase:
        """The same clause for one country after the other."""
        zh, en, _ = self.rng.choice(demo_lexicon.QUANTITIES)
        time = join(*self.rng.choice(YEARS))
        parts = []
        for entry in self.rng.sample(demo_lexicon.COUNTRIES, self._several(2, 6)):
            verb, _ = self.rng.choice(demo_lexicon.TRENDS)
            quantity = units(zh, en, "NN", "NN", plural=en.endswith("NNS"))
            owner = proper(entry.zh, entry.name)
            subject = join(
                "{0} 的/DEG:d? ^{1}", f"{{0}} {possessive(owner)} ^{{1}}", owner, quantity, plural=quantity.plural
            )
            amount = join("^{0}", f"{self.wording('by/IN:0?', '')} ^{{0}}", self.percent())
            parts.append(clause(subject, Predicate(verb, amount), "past"))
        return join("{0} ，/PU:c {1}", "{0} ,/,:c {1}", time, self._clauses(parts))

    def parallel_positions(self) -> Phrase:
        """A supported …, B opposed …"""
        document = self.rng.choice(demo_lexicon.DOCUMENTS)
        same = self.chance(0.5)
        countries = self.rng.sample(demo_lexicon.COUNTRIES, self._several(2, 6))
        positions = self.rng.choices((*_FAVOUR, _OPPOSE), k=len(countries) - 1)
        positions.append(_OPPOSE if positions[-1] is not _OPPOSE else self.rng.choice(_FAVOUR))
        parts = []
        for entry, verb in zip(countries, positions, strict=True):
            thing = units(document.zh, document.singular, "NN", "NN")
            thing = join(f"这/DT:t {document.measure}/M:0? ^{{0}}", "this/DT:t ^{0}", thing)
            if not same:
                thing = self.phrase("document", 1)
            parts.append(clause(proper(entry.zh, entry.name), Predicate(verb, thing), "present"))
        return self._clauses(parts)

    def _clauses(self, parts: list[Phrase]) -> Phrase:
        """A ， B ， 而 C = A , B , while C"""
        source, target = "{0}", "{0}"
        for number in range(1, len(parts) - 1):
            source += f" ，/PU:c{number} {{{number}}}"
            target += f" ,/,:c{number} {{{number}}}"
        last = len(parts) - 1
        return join(f"{source} ，/PU:last 而/CC:w {{{last}}}", f"{target} ,/,:last while/IN:w {{{last}}}", *parts)
