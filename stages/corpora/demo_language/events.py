"""Clauses of the demo corpus in which somebody does something: active, passive, with 把, or asked."""

from stages.corpora.demo_language.clauses import NO_ADJUNCTS, Adjuncts, Predicate, active_of_passive, clause, passive
from stages.corpora.demo_language.lexicon import COLLOCATIONS, FRAMES, Collocation, Frame, conjugate
from stages.corpora.demo_language.notation import NOTHING, Phrase, join, units
from stages.corpora.demo_language.nouns import NounPhrases

_STATIVE = ("支持", "反对", "欢迎")
_PASSIVE_FRAMES = tuple(
    frame
    for frame in FRAMES
    if frame.verb.passive
    and frame.obj in ("suspects", "building", "document", "event", "staff", "report")
    and frame.verb.zh not in (*_STATIVE, "培训", "参加", "主持")
)
_OBLIQUES = {
    "与": ("with", "authority"),
    "为": ("for", "authority"),
    "从": ("from", "country"),
    "向": ("to", "country"),
}
_TIMED_TENSES = {
    "past": ("past", "past", "past", "past", "not_past"),
    "future": ("future", "future", "future", "not_future", "may"),
}
_TIMELESS_TENSES = ("perfect", "perfect", "past", "recent", "progressive", "must", "should", "can", "experience")


class Events(NounPhrases):
    """Draws clauses without a final mark; see `Names` for `rng` and `paraphrase`."""

    def time_or_nothing(self, probability: float, kind: str) -> Phrase:
        return self.time(kind) if self.chance(probability) else NOTHING

    def statement(self, reported: bool = False) -> Phrase:
        """A transitive clause with adjuncts."""
        subject, predicate, stative, passivisable = self.event()
        tense, adjuncts = self.setting(stative, can_front=not reported)
        verb, obj, oblique = predicate
        other = self.chance(0.5)
        if passivisable and self.paraphrase and tense != "experience" and (other or not adjuncts.time.source):
            return passive(obj, verb, subject, tense, adjuncts, reported, active_source=True, oblique=oblique)
        return clause(subject, predicate, tense, adjuncts, reported, self.paraphrase and not reported)

    def event(self, doers: tuple[str, ...] = ()) -> tuple[Phrase, Predicate, bool, bool]:
        """-> (subject, predicate, stative, can be made passive); the subject is of one of the kinds `doers`, if any."""
        if self.chance(0.25):
            entry = self.rng.choice([entry for entry in COLLOCATIONS if not doers or entry.subject in doers])
            return self.phrase(entry.subject), Predicate(entry.verb, _object(entry)), False, False
        frame = self.rng.choice([frame for frame in FRAMES if not doers or frame.subject in doers])
        subject, oblique = self.phrase(frame.subject), self._oblique(frame)
        obj = self.phrase(frame.obj, 1 if oblique.source else 0)
        return subject, Predicate(frame.verb, obj, oblique), frame.verb.zh in _STATIVE, frame.verb.passive

    def _oblique(self, frame: Frame) -> Phrase:
        if not frame.oblique or not self.chance(0.35):
            return NOTHING
        en, kind = _OBLIQUES[frame.oblique]
        return join(f"{frame.oblique}/P:p ^{{0}}", f"{en}/IN:p ^{{0}}", self.phrase(kind))

    def setting(self, stative: bool, can_front: bool) -> tuple[str, Adjuncts]:
        """-> (tense, time and place)"""
        if stative:
            return ("present" if self.chance(0.7) else "not_present"), NO_ADJUNCTS
        place = self.in_place() if self.chance(0.18) else NOTHING
        draw = self.rng.random()
        if draw >= 0.55:
            return self.rng.choice(_TIMELESS_TENSES), Adjuncts(NOTHING, place)
        kind = "past" if draw < 0.35 else "future"
        adjuncts = Adjuncts(self.time(kind), place, self.chance(0.3) and can_front)
        return self.rng.choice(_TIMED_TENSES[kind]), adjuncts

    def in_place(self) -> Phrase:
        return join("在/P:i ^{0}", "in/IN:i ^{0}", self.city() if self.chance(0.5) else self.town())

    def passive_statement(self) -> Phrase:
        """被, or no mark at all when nobody is named."""
        frame = self.rng.choice(_PASSIVE_FRAMES)
        patient = self.phrase(frame.obj)
        tense, adjuncts = self.setting(False, can_front=True)
        if tense in ("experience", "progressive", "can"):
            tense = "perfect"
        if self.chance(0.35):
            marked = frame.obj in ("suspects", "staff")
            return passive(patient, frame.verb, NOTHING, tense, adjuncts, False, self.paraphrase, marked)
        agent = self.phrase(frame.subject, 1)
        return self.wording(passive, active_of_passive)(patient, frame.verb, agent, tense, adjuncts)

    def disposal(self) -> Phrase:
        """把: the object stands before the verb."""
        verb_zh, verb_en, subject_kind, object_kind, zh, en, goal_kind = self.entry("disposals")
        verb = conjugate(verb_zh, verb_en)
        subject, thing, goal = self.phrase(subject_kind, 1), self.phrase(object_kind, 1), self.phrase(goal_kind, 1)
        time = self.time_or_nothing(0.5, "past")
        if not time.source and self.chance(0.4):
            before, after, will, form, passive_group = "将/AD:f", "", "will/MD:f", f"{verb.base}/VB", "will/MD:f be/VB"
        else:
            before, after, will, form = "", "了/AS:v?", "", f"{verb.past}/VBD"
            passive_group = "were/VBD" if thing.plural else "was/VBD"
        source = f"{{0}} {{3}} {before} 把/BA {{1}} ^{verb.zh}/VV:v {zh}/VV:t {after} {{2}}"
        usual = f"{{0}} {will} ^{form}:v {{1}} {en}/TO:t {{2}} {{3}}"
        other = f"{{1}} {passive_group} ^{verb.participle}/VBN:v {en}/TO:t {{2}} by/IN {{0}} {{3}}"
        return join(source, self.wording(usual, other), subject, thing, goal, time)

    def question(self) -> Phrase:
        subject, predicate, _, _ = self.event()
        tense = self.rng.choice(("future", "can", "should"))
        time = self.time("future") if tense == "future" and self.chance(0.4) else NOTHING
        return clause(subject, predicate, tense, Adjuncts(time), question=True)


def _object(entry: Collocation) -> Phrase:
    """The English article has no word of its own in Chinese: 发表 声明 = issue a statement."""
    article = "a/DT:0?" if entry.article else ""
    return join("^{0}", f"{article} ^{{0}}", units(entry.zh, entry.en, "NN", entry.tag))
