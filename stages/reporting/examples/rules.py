"""Which sentences are examples: every rule is a function of the scores, and names the systems that it shows.

Of equals the one with the system first in params.yaml is taken, then the first sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from stages.reporting.examples.sentence_scores import Aligned, StudyScores


class Example(NamedTuple):
    """A sentence (from 0) and the one or two systems to show: first the one that it goes wrong in."""

    sentence: int
    variants: tuple[str, ...]


class Case(NamedTuple):
    """What a rule found; where nothing qualifies `example` is None, and `why` is what the page says instead."""

    heading: str
    example: Example | None
    why: str


FaultCounts = Mapping[str, np.ndarray]
"""Variant -> numbers of words that are at fault, (N,); without the systems that do not attend."""

Rank = Callable[[str, int], tuple[float, ...] | None]
"""(variant, sentence) -> what is compared, None for what does not qualify."""

REPAIRED = "The baseline at its worst, and a system that repairs it"
ALONE = "The baseline at its worst; no other system repairs it"
WORST = "The worst of the other systems, beside the baseline"
KEPT = "Lost by the baseline, kept by another system"
LOST = "Kept by the baseline, lost by a system that is no worse on the whole set"
AGREES = "Another system agrees with the hand-made links, the baseline does not"
DISAGREES = "The baseline agrees with the hand-made links, a system that is no worse on the whole set does not"

NONE = "There is no such sentence."

LONGEST = 10
"""One in so many sentences is long."""


def faults(scores: StudyScores, baseline: str, field: str, lost: bool, free: Sequence[int]) -> tuple[Case, Case]:
    """By one of `AttentionErrors`: the baseline's worst sentence with the system that repairs it best, and the others'
    worst.

    Worst: most such words, then the lowest BLEU. A repair has fewer of them and a higher BLEU.
    lost: the worst have to lack words, and no more count than they lack to the shortest reference.
    free: the sentences to choose from.
    """
    counts = {
        variant: np.array([len(getattr(seen, field)) for seen in of.attention_errors])
        for variant, of in scores.items()
        if of.attention_errors is not None
    }

    def fault(variant: str, k: int) -> tuple[float, ...] | None:
        of = scores[variant]
        count = min(counts[variant][k], of.short[k]) if lost else counts[variant][k]
        return (count, -of.bleu[k]) if count > 0 else None

    first = _repaired(scores, counts, baseline, fault, free)
    others = _best([variant for variant in counts if variant != baseline], _without(first, free), fault)
    example = Example(others[1], (others[0], baseline)) if others else None
    return first, Case(WORST, example, "No translation of another system qualifies.")


def _repaired(scores: StudyScores, counts: FaultCounts, baseline: str, fault: Rank, free: Sequence[int]) -> Case:
    if baseline not in counts:
        return Case(REPAIRED, None, "The baseline has no attention.")
    found = _best([baseline], free, fault)
    if found is None:
        return Case(REPAIRED, None, "No translation of the baseline qualifies.")
    k = found[1]

    def repair(variant: str, k: int) -> tuple[float, ...] | None:
        if counts[variant][k] >= counts[baseline][k] or scores[variant].bleu[k] <= scores[baseline].bleu[k]:
            return None
        return -counts[variant][k], scores[variant].bleu[k]

    other = _best(counts, [k], repair)
    if other is None:
        return Case(ALONE, Example(k, (baseline,)), "")
    return Case(REPAIRED, Example(k, (baseline, other[0])), "")


def long_sentences(
    scores: StudyScores, baseline: str, lengths: Sequence[int], free: Sequence[int]
) -> tuple[Case, Case]:
    """By BLEU of the sentence, among the longest tenth (by `lengths`, of the sources, and all as long as its last).

    free: the sentences to choose from.
    """
    shortest = sorted(lengths, reverse=True)[ceil(len(lengths) / LONGEST) - 1]
    values = {variant: of.bleu for variant, of in scores.items()}
    wholes = {variant: of.whole for variant, of in scores.items()}
    among = [k for k in free if lengths[k] >= shortest]
    return _contrasts(values, wholes, baseline, among, (KEPT, LOST))


def agreements(aligned: Mapping[str, Aligned], baseline: str, lengths: Sequence[int], least: int) -> tuple[Case, Case]:
    """By AER of the sentence, among the sources of at least `least` words: in short ones a single link decides."""
    if baseline not in aligned:
        why = "The baseline has no attention."
        return Case(AGREES, None, why), Case(DISAGREES, None, why)
    values = {variant: -of.aer for variant, of in aligned.items()}
    wholes = {variant: -of.whole for variant, of in aligned.items()}
    among = [k for k, length in enumerate(lengths) if length >= least]
    return _contrasts(values, wholes, baseline, among, (AGREES, DISAGREES))


def _contrasts(
    values: Mapping[str, np.ndarray],
    wholes: Mapping[str, float],
    baseline: str,
    sentences: Sequence[int],
    headings: tuple[str, str],
) -> tuple[Case, Case]:
    """The largest gain over the baseline and the largest loss. values: by sentence, higher is better, nan for none."""

    def gain(variant: str, k: int) -> tuple[float, ...] | None:
        ahead = values[variant][k] - values[baseline][k]
        return (ahead,) if ahead > 0 else None

    def loss(variant: str, k: int) -> tuple[float, ...] | None:
        behind = values[baseline][k] - values[variant][k]
        return (behind,) if behind > 0 and wholes[variant] >= wholes[baseline] else None

    kept = _best(values, sentences, gain)
    first = Case(headings[0], Example(kept[1], (baseline, kept[0])) if kept else None, NONE)
    lost = _best(values, _without(first, sentences), loss)
    return first, Case(headings[1], Example(lost[1], (lost[0], baseline)) if lost else None, NONE)


def _without(case: Case, sentences: Sequence[int]) -> list[int]:
    """The sentences but the one that the case has."""
    return [k for k in sentences if case.example is None or k != case.example.sentence]


def _best(variants: Iterable[str], sentences: Sequence[int], score: Rank) -> tuple[str, int] | None:
    """The pair with the highest score; `max` takes the first of equals."""
    pairs = [(variant, k) for variant in variants for k in sentences]
    scored = [(found, pair) for pair in pairs if (found := score(*pair)) is not None]
    return max(scored, key=lambda each: each[0])[1] if scored else None
