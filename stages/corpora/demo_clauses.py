"""Tense, aspect and voice of the demo corpus: from Chinese markers to English verb groups."""

from typing import NamedTuple

from stages.corpora.demo_lexicon import Verb
from stages.corpora.demo_phrase import NOTHING, Phrase, join


class Tense(NamedTuple):
    """Chinese marks before (`pre`) and after (`post`) the verb; English auxiliaries and the form of the verb.

    Templates see the verb as slot 1. In `aux`, HAVE, WILL, BE and DO stand for the form that agrees with the subject;
    the first word changes places with the subject in a question.
    """

    pre: str
    post: str
    aux: str
    form: str
    passive_aux: str


class Predicate(NamedTuple):
    """A verb with its object and an oblique (before the verb in Chinese, after the object in English)."""

    verb: Verb
    obj: Phrase = NOTHING
    oblique: Phrase = NOTHING


class Adjuncts(NamedTuple):
    """`fronted`: the time opens the sentence, with a comma on both sides."""

    time: Phrase = NOTHING
    place: Phrase = NOTHING
    fronted: bool = False


NO_ADJUNCTS = Adjuncts()

TENSES = {
    "past": Tense("", "了/AS:1?", "", "past", "WAS:b?"),
    "bare_past": Tense("", "", "", "past", "WAS:b?"),
    "perfect": Tense("已经/AD:k", "了/AS:h?", "HAVE:h? already/RB:k", "participle", "HAVE:h? already/RB:k been/VBN:b?"),
    "recent": Tense("刚刚/AD:k", "了/AS:h?", "HAVE:h? just/RB:k", "participle", "HAVE:h? just/RB:k been/VBN:b?"),
    "experience": Tense("曾/AD:k", "过/AS:1?", "once/RB:k", "past", "WAS:b? once/RB:k"),
    "future": Tense("将/AD:f", "", "WILL:f", "base", "WILL:f be/VB:b?"),
    "progressive": Tense("正在/AD:p?", "", "BE:p?", "gerund", "BE:p? being/VBG:b?"),
    "present": Tense("", "", "", "present", "BE:b?"),
    "must": Tense("必须/VV:m", "", "must/MD:m", "base", "must/MD:m be/VB:b?"),
    "should": Tense("应该/VV:m", "", "should/MD:m", "base", "should/MD:m be/VB:b?"),
    "can": Tense("可以/VV:m", "", "can/MD:m", "base", "can/MD:m be/VB:b?"),
    "may": Tense("可能/VV:m", "", "may/MD:m", "base", "may/MD:m be/VB:b?"),
    "not_past": Tense("没有/AD:n", "", "did/VBD:n? not/RB:n", "base", "WAS:n? not/RB:n"),
    "not_present": Tense("不/AD:n", "", "DO:n? not/RB:n", "base", "BE:n? not/RB:n"),
    "not_future": Tense("不/AD:n 会/VV:f", "", "WILL:f not/RB:n", "base", "WILL:f not/RB:n be/VB:b?"),
    "infinitive": Tense("", "", "to/TO", "base", "to/TO be/VB:b?"),
    "gerund": Tense("", "", "", "gerund", "being/VBG:b?"),
    "reduced": Tense("", "", "", "participle", ""),
}

# placeholder -> (singular, plural, the same in reported speech)
_AGREEMENT = {
    "HAVE": ("has/VBZ", "have/VBP", "had/VBD", "had/VBD"),
    "WILL": ("will/MD", "will/MD", "would/MD", "would/MD"),
    "BE": ("is/VBZ", "are/VBP", "was/VBD", "were/VBD"),
    "WAS": ("was/VBD", "were/VBD", "was/VBD", "were/VBD"),
    "DO": ("does/VBZ", "do/VBP", "did/VBD", "did/VBD"),
}


def _agree(aux: str, plural: bool, reported: bool) -> str:
    words = []
    for word in aux.split():
        name, colon, labels = word.partition(":")
        if name in _AGREEMENT:
            name = _AGREEMENT[name][2 * reported + plural]
        words.append(name + colon + labels)
    return " ".join(words)


def _inflect(verb: Verb, form: str, plural: bool, reported: bool) -> tuple[str, str]:
    """-> (English form, tag)"""
    if form == "present":
        if reported:
            return verb.past, "VBD"
        return (verb.base, "VBP") if plural else (verb.third, "VBZ")
    text = {"past": verb.past, "base": verb.base, "participle": verb.participle, "gerund": verb.gerund}[form]
    return text, {"past": "VBD", "base": "VB", "participle": "VBN", "gerund": "VBG"}[form]


def _before_verb(spec: Tense, place: Phrase) -> str:
    """正在 is 正 before a place, which has a 在 of its own."""
    return spec.pre.replace("正在", "正") if place.source else spec.pre


def verb_phrase(verb: Verb, form: str, plural: bool = False, reported: bool = False) -> Phrase:
    """The verb alone; a particle ("met with") is a possible link."""
    text, tag = _inflect(verb, form, plural, reported)
    particle = f"{verb.particle}/{'RP' if verb.particle in ('out', 'up') else 'IN'}:v?" if verb.particle else ""
    return join(f"{verb.zh}/VV:v", f"^{text}/{tag}:v {particle}", plural=plural)


def clause(
    subject: Phrase,
    predicate: Predicate,
    tense: str,
    adjuncts: Adjuncts = NO_ADJUNCTS,
    reported: bool = False,
    swap_time: bool = False,
    question: bool = False,
) -> Phrase:
    """Subject, verb group, object, oblique, place, time in both orders.

    `reported` shifts the English tense; `swap_time` moves the English time to the other end of the clause than the
    Chinese has it (a paraphrase). The verb is the head. The subject may be NOTHING (infinitives, relative clauses).
    """
    spec = TENSES[tense]
    plural = subject.plural
    first, _, rest = _agree(spec.aux, plural, reported).partition(" ")
    verb = verb_phrase(predicate.verb, spec.form, plural, reported)
    source = f"{{0}} {{5}} {_before_verb(spec, adjuncts.place)} {{4}} {{3}} ^{{1}} {spec.post} {{2}}"
    group = f"{first} {{0}} {rest}" if question else f"{{0}} {first} {rest}"
    target = f"{group} ^{{1}} {{2}} {{3}} {{4}}"
    return _with_time(
        source, target, (subject, verb, predicate.obj, predicate.oblique, adjuncts.place), adjuncts, swap_time
    )


def passive(
    subject: Phrase,
    verb: Verb,
    agent: Phrase,
    tense: str,
    adjuncts: Adjuncts = NO_ADJUNCTS,
    reported: bool = False,
    swap_time: bool = False,
    marked: bool = True,
    active_source: bool = False,
    oblique: Phrase = NOTHING,
) -> Phrase:
    """English passive. The Chinese has 被 (`marked`), no mark at all, or the order of the active (`active_source`)."""
    spec = TENSES[tense]
    form = verb_phrase(verb._replace(particle=""), "participle")
    by = "by/IN {2}" if agent.target else ""
    if active_source:
        source = f"{{2}} {{5}} {_before_verb(spec, adjuncts.place)} {{4}} {{3}} ^{{1}} {spec.post} {{0}}"
    elif marked:
        mark = "被/LB:b?,y" if agent.target else "被/SB:b?"
        by = by.replace("by/IN", "by/IN:y")
        source = f"{{0}} {{5}} {_before_verb(spec, adjuncts.place)} {{4}} {mark} {{2}} ^{{1}} {spec.post}"
    else:
        source = f"{{0}} {{5}} {_before_verb(spec, adjuncts.place)} {{4}} ^{{1}} {spec.post}"
    target = f"{{0}} {_agree(spec.passive_aux, subject.plural, reported)} ^{{1}} {by} {{3}} {{4}}"
    return _with_time(source, target, (subject, form, agent, oblique, adjuncts.place), adjuncts, swap_time)


def active_of_passive(
    subject: Phrase, verb: Verb, agent: Phrase, tense: str, adjuncts: Adjuncts, reported: bool, swap_time: bool
) -> Phrase:
    """The active English paraphrase of a 被 clause."""
    spec = TENSES[tense]
    plural = agent.plural
    form = verb_phrase(verb, spec.form, plural, reported)
    source = f"{{0}} {{5}} {_before_verb(spec, adjuncts.place)} {{4}} 被/LB {{2}} ^{{1}} {spec.post}"
    target = f"{{2}} {_agree(spec.aux, plural, reported)} ^{{1}} {{0}} {{4}}"
    return _with_time(source, target, (subject, form, agent, NOTHING, adjuncts.place), adjuncts, swap_time)


def _with_time(source: str, target: str, parts: tuple[Phrase, ...], adjuncts: Adjuncts, swap_time: bool) -> Phrase:
    """Put the time (slot 5) in: `source` has a place for it, the English has it at one of its ends."""
    if not adjuncts.time.source:
        return join(source.replace("{5}", ""), target, *parts)
    if adjuncts.fronted:
        source = "{5} ，/PU:c " + source.replace("{5}", "")
    target = "{5} ,/,:c " + target if adjuncts.fronted != swap_time else target + " {5}"
    return join(source, target, *parts, adjuncts.time)
