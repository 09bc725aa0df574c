"""Noun phrases of the demo corpus: common nouns with what stands around them, and every kind that a verb asks for."""

from collections.abc import Sequence

from stages.corpora.demo_language.clauses import Adjuncts, Predicate, clause, passive
from stages.corpora.demo_language.lexicon import FRAMES, Frame, Noun, entries, nouns
from stages.corpora.demo_language.names import Names
from stages.corpora.demo_language.notation import NOTHING, Phrase, join, units

# kind that a verb asks for -> sections of the lexicon, kind that adjectives and relative clauses know
_COMMON = {
    "firm": (("firms",), "firm"),
    "people": (("experts", "staff", "civilians"), "people"),
    "experts": (("experts",), "people"),
    "staff": (("staff",), "people"),
    "suspects": (("suspects",), "suspects"),
    "document": (("documents",), "document"),
    "report": (("reports",), "report"),
    "event": (("events",), "event"),
    "building": (("buildings",), "building"),
    "machines": (("machines",), "machine"),
}
# counted by the handful
_FEW = frozenset({"event", "document", "report", "building"})


def listing(phrases: Sequence[Phrase]) -> Phrase:
    """A 、 B 和 C = A , B and C."""
    if len(phrases) == 1:
        return phrases[0]
    slots = [f"{{{number}}}" for number in range(len(phrases))]
    source, target = slots[0], slots[0]
    for number, slot in enumerate(slots[1:-1]):
        source += f" 、/PU:c{number} {slot}"
        target += f" ,/,:c{number} {slot}"
    return join(f"{source} 和/CC:and {slots[-1]}", f"{target} and/CC:and {slots[-1]}", *phrases, plural=True)


class NounPhrases(Names):
    """Draws noun phrases; see `Names` for `rng` and `paraphrase`."""

    def phrase(self, kind: str, depth: int = 0) -> Phrase:
        """A noun phrase of `kind` (one of those the lexicon's frames name); no relative clause where `depth` > 0."""
        if kind == "speaker":
            kind = "leader" if self.chance(0.5) else "authority"
        elif kind == "trader":
            kind = "country" if self.chance(0.5) else "firm"
        elif kind == "goods":
            draw = self.rng.random()
            if draw < 0.65:
                commodity = self.rng.choice(nouns("commodities"))
                return self.tons(commodity) if draw < 0.5 else _word(commodity)
            kind = "machines"
        if kind in _COMMON:
            sections, adjectives = _COMMON[kind]
            return self._noun(nouns(*sections), adjectives, depth)
        if kind in ("issue", "problem"):
            return self.topic(kind, "matter" if kind == "issue" else kind)
        draws = {
            "leader": self.leader,
            "authority": self.authority,
            "police": self.police,
            "question": self._questions,
            "place": self.place,
            "country": self.country,
        }
        return draws[kind]()

    def topic(self, usual: str, other: str) -> Phrase:
        """贸易 问题: an issue when it is discussed, a problem when it is resolved."""
        topic = self.units("topics", "NN", "NN")
        return join("{0} ^问题/NN:q", f"the/DT:q? {{0}} ^{self.wording(usual, other)}/NN:q", topic)

    def _questions(self) -> Phrase:
        if self.chance(0.5):
            return join("记者/NN:r 的/DEG:d? ^问题/NN:q", "reporters/NNS:r '/POS:d? ^questions/NNS:q", plural=True)
        number = self.number(self.rng.randint(2, 9))
        return join("{0} 个/M:q? ^问题/NN:q", "{0} ^questions/NNS:q", number, plural=True)

    def tons(self, commodity: Noun) -> Phrase:
        """三万 吨 大米 = 30,000 tons of rice"""
        number = self.large_number()
        return join("{0} 吨/M:t ^{1}", "{0} tons/NNS:t of/IN ^{1}", number, _word(commodity), plural=True)

    def _noun(self, choices: Sequence[Noun], kind: str, depth: int) -> Phrase:
        """A common noun with determiner or count, modifier and relative clause."""
        noun = self.rng.choice(choices)
        before_zh, before_en, plural, count = self._determiner(noun, kind)
        draw = self.rng.random()
        modifier, relative = NOTHING, NOTHING
        if draw < 0.16 and kind in ("people", "firm"):
            modifier = self.nationality()
        elif draw < 0.34:
            modifier = self._adjective(kind)
        elif draw < 0.48 and depth == 0:
            relative = self._relative(kind, plural)
        source, target = f"{before_zh} {{1}} {{0}} ^{{2}}", f"{before_en} {{0}} ^{{2}} {{1}}"
        return join(source, target, modifier, relative, _word(noun, plural), count, plural=plural)

    def _determiner(self, noun: Noun, kind: str) -> tuple[str, str, bool, Phrase]:
        """-> (Chinese template, English template, plural, the number for slot 3); the noun is slot 2."""
        draw = self.rng.random()
        measure = f"{noun.measure}/M:2?"
        if draw < 0.36:
            return "", "the/DT:2?" if noun.bare == "the" else "", noun.bare == "many", NOTHING
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
        return ("许多/CD:d", "many/JJ:d", True, NOTHING) if draw < 0.97 else ("一些/CD:d", "some/DT:d", True, NOTHING)

    def _adjective(self, kind: str) -> Phrase:
        fitting = [entry for entry in entries("adjectives") if kind in entry[3].split()]
        if not fitting:
            return NOTHING
        zh, en, de, _ = self.rng.choice(fitting)
        tagged = zh if "/" in zh else f"{zh}/{'VA' if de else 'JJ'}"
        return join(f"{tagged}:a {'的/DEC' if de else ''}", f"{en}/JJ:a")

    def _relative(self, kind: str, plural: bool) -> Phrase:
        """Before the noun in Chinese, after it in English."""
        draw = self.rng.random()
        if kind == "people" and draw < 0.3:
            return join("来自/VV:f {0} 的/DEC", "from/IN:f {0}", self.place())
        if (kind == "people" and draw < 0.5) or (kind == "event" and draw < 0.7):
            where = join("在/P:i {0}", "in/IN:i {0}", self.place())
            if kind == "event":
                who = self.wording("", f"that/WDT:r? {'were' if plural else 'was'}/VBD")
                return join("{0} 举行/VV:h 的/DEC:r?", f"{who} held/VBN:h {{0}}", where)
            verb = self.wording("working/VBG:w", f"who/WP:r? {'work/VBP' if plural else 'works/VBZ'}:w")
            return join("{0} 工作/VV:w 的/DEC:r?", f"{verb} {{0}}", where)
        objects = [frame for frame in FRAMES if frame.obj == kind and frame.verb.passive]
        subjects = [frame for frame in FRAMES if frame.subject == kind and frame.obj != "question"]
        if subjects and (draw < 0.8 or not objects):
            return self._subject_relative(self.rng.choice(subjects), plural)
        return self._object_relative(self.rng.choice(objects), plural) if objects else NOTHING

    def _subject_relative(self, frame: Frame, plural: bool) -> Phrase:
        """曾 访问 过 中国 的 学者 = scholars who once visited China; 生产 汽车 的 公司 = companies producing cars"""
        what = Predicate(frame.verb, self.phrase(frame.obj, 1))
        gap = NOTHING._replace(plural=plural)
        once = self.chance(0.5) or frame.subject == "suspects"
        if not once and not self.paraphrase:
            return join("{0} 的/DEC", "{0}", clause(gap, what, "gerund"))
        inner = clause(gap, what, "experience" if once else "present")
        return join("{0} 的/DEC:r?", "who/WP:r? {0}" if frame.subject != "firm" else "that/WDT:r? {0}", inner)

    def _object_relative(self, frame: Frame, plural: bool) -> Phrase:
        """法国 公司 生产 的 汽车 = the cars produced by French companies"""
        agent = self.phrase(frame.subject, 1)
        adjuncts = Adjuncts(self.time("past") if self.chance(0.3) else NOTHING)
        gap = NOTHING._replace(plural=plural)
        tense, who = self.wording(("reduced", ""), ("bare_past", "that/WDT:r?"))
        inner = passive(gap, frame.verb, agent, tense, adjuncts, active_source=True)
        return join("{0} 的/DEC:r?", f"{who} {{0}}", inner)


def _word(noun: Noun, plural: bool = False) -> Phrase:
    return units(noun.zh, noun.plural if plural else noun.singular, "NN", "NN")
