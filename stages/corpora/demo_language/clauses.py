"""Tense, aspect and voice of the demo corpus: from Chinese markers to English verb groups."""

from typing import NamedTuple

from stages.corpora.demo_language.lexicon import Verb, entries
from stages.corpora.demo_language.notation import NOTHING, Phrase, join


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
_TENSES = {name: Tense(*marks) for name, *marks in entries("tenses")}
_AGREEMENT = {name: forms for name, *forms in entries("agreement")}
_TAGS = {"past": "VBD", "base": "VB", "participle": "VBN", "gerund": "VBG"}


def _agree(aux: str, plural: bool, reported: bool) -> str:
    words = []
    for word in aux.split():
        name, colon, labels = word.partition(":")
        words.append((_AGREEMENT[name][2 * reported + plural] if name in _AGREEMENT else name) + colon + labels)
    return " ".join(words)


def _verb_phrase(verb: Verb, form: str, plural: bool = False, reported: bool = False) -> Phrase:
    """The verb alone; a particle ("met with") is a possible link."""
    tag = _TAGS.get(form, "")
    if form == "present":
        form, tag = ("past", "VBD") if reported else ("base", "VBP") if plural else ("third", "VBZ")
    particle = f"{verb.particle}/{'RP' if verb.particle in ('out', 'up') else 'IN'}:v?" if verb.particle else ""
    return join(f"{verb.zh}/VV:v", f"^{getattr(verb, form)}/{tag}:v {particle}", plural=plural)


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
    spec = _TENSES[tense]
    first, _, rest = _agree(spec.aux, subject.plural, reported).partition(" ")
    verb = _verb_phrase(predicate.verb, spec.form, subject.plural, reported)
    target = f"{f'{first} {{0}}' if question else f'{{0}} {first}'} {rest} ^{{1}} {{2}} {{3}} {{4}}"
    parts = (subject, verb, predicate.obj, predicate.oblique)
    return _arrange(spec, ("{0}", "{3}", "{2}"), target, parts, adjuncts, swap_time)


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
    by = "by/IN:y {2}" if marked and not active_source else "by/IN {2}"
    mark = ("被/LB:b?,y {2}" if agent.target else "被/SB:b?") if marked else ""
    target = f"{{0}} {_agree(_TENSES[tense].passive_aux, subject.plural, reported)} ^{{1}}"
    return _arrange(
        _TENSES[tense],
        ("{2}", "{3}", "{0}") if active_source else ("{0}", mark, ""),
        f"{target} {by if agent.target else ''} {{3}} {{4}}",
        (subject, _verb_phrase(verb._replace(particle=""), "participle"), agent, oblique),
        adjuncts,
        swap_time,
    )


def active_of_passive(subject: Phrase, verb: Verb, agent: Phrase, tense: str, adjuncts: Adjuncts) -> Phrase:
    """The active English paraphrase of a 被 clause."""
    spec = _TENSES[tense]
    target = f"{{2}} {_agree(spec.aux, agent.plural, False)} ^{{1}} {{0}} {{4}}"
    parts = (subject, _verb_phrase(verb, spec.form, agent.plural), agent, NOTHING)
    return _arrange(spec, ("{0}", "被/LB {2}", ""), target, parts, adjuncts, False)


def _arrange(
    spec: Tense,
    around: tuple[str, str, str],
    target: str,
    parts: tuple[Phrase, ...],
    adjuncts: Adjuncts,
    swap_time: bool,
) -> Phrase:
    """Put tense, place (slot 4) and time (slot 5) in; `around`: what opens the Chinese, precedes and follows its verb.

    正在 is 正 before a place, which has a 在 of its own. The English has the time at one of its ends.
    """
    opening, before, after = around
    pre = spec.pre.replace("正在", "正") if adjuncts.place.source else spec.pre
    time, fronted = ("{5}" if adjuncts.time.source else ""), ""
    if time and adjuncts.fronted:
        time, fronted = "", "{5} ，/PU:c"
    source = f"{fronted} {opening} {time} {pre} {{4}} {before} ^{{1}} {spec.post} {after}"
    if adjuncts.time.source:
        target = f"{{5}} ,/,:c {target}" if adjuncts.fronted != swap_time else f"{target} {{5}}"
    return join(source, target, *parts, adjuncts.place, adjuncts.time)
