"""Which sentences are examples: every rule is a function of the scores, and names the systems that it shows.

Of equals the one with the system first in params.yaml is taken, then the first sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from stages.reporting.examples.counterparts import Pair
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


Rank = Callable[[str, int], tuple[float, ...] | None]
"""(variant, sentence) -> what is compared, None for what does not qualify."""

REPAIRED = "The baseline at its worst, and a system that repairs it"
ALONE = "The baseline at its worst; no other system repairs it"
WORST = "The worst of the other systems, beside the baseline"
KEPT = "Lost by the baseline, kept by another system"
LOST = "Kept by the baseline, lost by a system that is no worse on the whole set"
END_LOST = "Lost without attention, kept with it"
AGREES = "Another system agrees with the hand-made links, the baseline does not"
DISAGREES = "The baseline agrees with the hand-made links, a system that is no worse on the whole set does not"

NONE = "There is no such sentence."
NO_ATTENTION = "The baseline has no attention."

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

    def repaired(variant: str, k: int) -> tuple[float, ...] | None:
        """The baseline's fault, and how well the system repairs it; the baseline itself stands for no repair."""
        worst = fault(baseline, k) if baseline in counts else None
        if worst is None or variant == baseline:
            return worst and (*worst, -k, -np.inf)
        repairs = counts[variant][k] < counts[baseline][k] and scores[variant].bleu[k] > scores[baseline].bleu[k]
        return (*worst, -k, -counts[variant][k], scores[variant].bleu[k]) if repairs else None

    none = "No translation of the baseline qualifies." if baseline in counts else NO_ATTENTION
    return _choose(
        counts, baseline, free, (repaired, lambda variant, k: None if variant == baseline else fault(variant, k)),
        (REPAIRED, WORST), (none, "No translation of another system qualifies."),
    )  # fmt: skip


def long_sentences(
    scores: StudyScores, baseline: str, lengths: Sequence[int], free: Sequence[int]
) -> tuple[Case, Case]:
    """By BLEU of the sentence, among the longest tenth (by `lengths`, of the sources, and all as long as its last).

    free: the sentences to choose from.
    """
    shortest = sorted(lengths, reverse=True)[ceil(len(lengths) / LONGEST) - 1]
    values = {variant: (of.bleu, of.whole) for variant, of in scores.items()}
    return _contrasts(values, baseline, [k for k in free if lengths[k] >= shortest], (KEPT, LOST))


def lost_ends(kept: Mapping[str, Sequence[int]], pair: Pair, free: Sequence[int]) -> Case:
    """The sentence whose end the system without attention loses most of, beside the one that attends.

    kept: variant -> `kept_at_end` of every sentence; free: the sentences to choose from.
    """

    def loss(variant: str, k: int) -> tuple[float, ...] | None:
        behind = kept[pair.attending][k] - kept[variant][k]
        return (behind,) if behind > 0 else None

    found = _best([pair.without], free, loss)
    return Case(END_LOST, found and Example(found[1], pair), NONE)


def agreements(aligned: Mapping[str, Aligned], baseline: str, lengths: Sequence[int], least: int) -> tuple[Case, Case]:
    """By AER of the sentence, among the sources of at least `least` words: in short ones a single link decides."""
    if baseline not in aligned:
        return Case(AGREES, None, NO_ATTENTION), Case(DISAGREES, None, NO_ATTENTION)
    values = {variant: (-of.aer, -of.whole) for variant, of in aligned.items()}
    return _contrasts(values, baseline, [k for k, n in enumerate(lengths) if n >= least], (AGREES, DISAGREES))


def _contrasts(
    values: Mapping[str, tuple[np.ndarray, float]], baseline: str, sentences: Sequence[int], headings: tuple[str, str]
) -> tuple[Case, Case]:
    """The largest gain over the baseline and the largest loss. values: by sentence, higher is better, nan for none, and
    of the whole set."""
    own, whole = values[baseline]

    def gain(variant: str, k: int) -> tuple[float, ...] | None:
        ahead = values[variant][0][k] - own[k]
        return (ahead,) if ahead > 0 else None

    def loss(variant: str, k: int) -> tuple[float, ...] | None:
        behind = own[k] - values[variant][0][k]
        return (behind,) if behind > 0 and values[variant][1] >= whole else None

    return _choose(values, baseline, sentences, (gain, loss), headings, (NONE, NONE))


def _choose(
    variants: Iterable[str], baseline: str, sentences: Sequence[int], ranks: tuple[Rank, Rank],
    headings: tuple[str, str], whys: tuple[str, str],
) -> tuple[Case, Case]:  # fmt: skip
    """The sentence that ranks highest by the first rank, and another one by the second; the one that goes wrong is the
    baseline in the first and the other system in the second. whys: as in `Case`."""
    first = _best(variants, sentences, ranks[0])
    second = _best(variants, [k for k in sentences if first is None or k != first[1]], ranks[1])
    alone = first is not None and first[0] == baseline
    return (
        Case(
            ALONE if alone else headings[0], first and Example(first[1], tuple(dict.fromkeys((baseline, first[0])))),
            whys[0],
        ),
        Case(headings[1], second and Example(second[1], (second[0], baseline)), whys[1]),
    )  # fmt: skip


def _best(variants: Iterable[str], sentences: Sequence[int], rank: Rank) -> tuple[str, int] | None:
    """The pair with the highest rank; `max` takes the first of equals."""
    pairs = [(variant, k) for variant in variants for k in sentences]
    ranked = [(found, pair) for pair in pairs if (found := rank(*pair)) is not None]
    return max(ranked, key=lambda each: each[0])[1] if ranked else None
