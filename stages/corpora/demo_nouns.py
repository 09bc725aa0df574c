"""Noun phrases of the demo corpus: common nouns with what stands around them, and every kind that a verb asks for."""

from collections.abc import Callable, Sequence
from random import Random

from stages.corpora import demo_lexicon
from stages.corpora.demo_amounts import Amounts
from stages.corpora.demo_clauses import Adjuncts, Predicate, clause, passive
from stages.corpora.demo_lexicon import Noun
from stages.corpora.demo_names import Names
from stages.corpora.demo_numbers import chinese_number, english_number
from stages.corpora.demo_phrase import NOTHING, Phrase, join, units

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


class NounPhrases(Names, Amounts):
    """Draws noun phrases; see `Draw` for `rng` and `paraphrase`."""

    def __init__(self, rng: Random, paraphrase: bool) -> None:
        super().__init__(rng, paraphrase)
        self._kinds: dict[str, Callable[[int], Phrase]] = {
            "leader": lambda depth: self.leader(),
            "authority": lambda depth: self.authority(),
            "speaker": lambda depth: self.leader() if self.chance(0.5) else self.authority(),
            "police": lambda depth: self.police(),
            "firm": lambda depth: self.noun(demo_lexicon.FIRMS, "firm", depth),
            "trader": lambda depth: (
                self.country() if self.chance(0.5) else self.noun(demo_lexicon.FIRMS, "firm", depth)
            ),
            "people": lambda depth: self.noun(demo_lexicon.PEOPLE, "people", depth),
            "experts": lambda depth: self.noun(demo_lexicon.EXPERTS, "people", depth),
            "staff": lambda depth: self.noun(demo_lexicon.STAFF, "people", depth),
            "suspects": lambda depth: self.noun(demo_lexicon.SUSPECTS, "suspects", depth),
            "document": lambda depth: self.noun(demo_lexicon.DOCUMENTS, "document", depth),
            "report": lambda depth: self.noun(demo_lexicon.REPORTS, "report", depth),
            "event": lambda depth: self.noun(demo_lexicon.EVENTS, "event", depth),
            "building": lambda depth: self.noun(demo_lexicon.BUILDINGS, "building", depth),
            "machines": lambda depth: self.noun(demo_lexicon.MACHINES, "machine", depth),
            "goods": lambda depth: self.goods(depth),
            "issue": lambda depth: self.topic("issue", "matter"),
            "problem": lambda depth: self.topic("problem", "problem"),
            "question": lambda depth: self.questions(),
            "place": lambda depth: self.place(),
            "country": lambda depth: self.country(),
        }

    def phrase(self, kind: str, depth: int = 0) -> Phrase:
        """A noun phrase of `kind` (one of those the lexicon's frames name); no relative clause where `depth` > 0."""
        return self._kinds[kind](depth)

    def topic(self, usual: str, other: str) -> Phrase:
        """贸易 问题: an issue when it is discussed, a problem when it is resolved."""
        topic = units(*self.rng.choice(demo_lexicon.TOPICS), "NN", "NN")
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
            return self.tons(self.rng.choice(demo_lexicon.COMMODITIES))
        if draw < 0.65:
            return units(*_forms(self.rng.choice(demo_lexicon.COMMODITIES), False), "NN", "NN")
        return self.noun(demo_lexicon.MACHINES, "machine", depth)

    def tons(self, commodity: Noun) -> Phrase:
        """三万 吨 大米 = 30,000 tons of rice"""
        mass = units(*_forms(commodity, False), "NN", "NN")
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
        head = units(*_forms(noun, plural), "NN", "NN")
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
        fitting = [entry for entry in demo_lexicon.ADJECTIVES if kind in entry.kinds]
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
        objects = [frame for frame in demo_lexicon.FRAMES if frame.obj == kind and frame.verb.passive]
        subjects = [frame for frame in demo_lexicon.FRAMES if frame.subject == kind and frame.obj != "question"]
        if subjects and (draw < 0.8 or not objects):
            return self._subject_relative(self.rng.choice(subjects), plural)
        if not objects:
            return NOTHING
        return self._object_relative(self.rng.choice(objects), plural)

    def _subject_relative(self, frame: demo_lexicon.Frame, plural: bool) -> Phrase:
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

    def _object_relative(self, frame: demo_lexicon.Frame, plural: bool) -> Phrase:
        """法国 公司 生产 的 汽车 = the cars produced by French companies"""
        agent = self.phrase(frame.subject, 1)
        time = self.time("past") if self.chance(0.3) else NOTHING
        gap = NOTHING._replace(plural=plural)
        inner = passive(gap, frame.verb, agent, "bare_past", Adjuncts(time), active_source=True)
        if self.paraphrase:
            return join("{0} 的/DEC:r?", "that/WDT:r? {0}", inner)
        reduced = passive(gap, frame.verb, agent, "reduced", Adjuncts(time), active_source=True)
        return join("{0} 的/DEC:r?", "{0}", reduced)


def _forms(noun: Noun, plural: bool) -> tuple[str, str]:
    return noun.zh, noun.plural if plural else noun.singular
