"""Weights tuned on dev: translate, add the n-best lists to those of the rounds before, find better weights, repeat."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.files.errors import InputError
from stages.measures import bleu
from stages.phrase_based import mert
from stages.phrase_based.decoder import Hypothesis
from stages.settings.smt import Tuning

Translate = Callable[[Sequence[float]], list[list[Hypothesis]]]
"""Weights -> the n-best list of every sentence of dev."""
References = Sequence[Sequence[str]]
"""Of every sentence, as lines of words."""


class Tuned(NamedTuple):
    """weights: those with the highest BLEU of dev's own translations; bleu: of each round, from the start on."""

    weights: tuple[float, ...]
    bleu: list[float]


def tune(translate: Translate, references: References, start: Sequence[float], settings: Tuning) -> Tuned:
    """Rounds of `translate` and `mert.optimise` from the weights `start`, until the lists hold no new translation.

    BLEU of dev's own translations often falls at first, for the lists of the first rounds lack what other weights would
    choose; later rounds bring it.

    Raises:
        InputError: the decoder gives dev no translation.
    """
    scorer, rng = bleu.scorer("none", lowercase=True), np.random.default_rng(settings.seed)
    pool = [_Pool(each) for each in references]
    weights, best, scores, known = tuple(start), tuple(start), [], 0
    for number in range(settings.rounds + 1):
        lists = translate(weights)
        if not any(lists):
            raise InputError("Thot translates no sentence of dev; check the corpus and smt.decoder in params.yaml")
        firsts = [each.add(found, scorer) for each, found in zip(pool, lists, strict=True)]
        scores.append(float(bleu.of_totals(np.sum([first for first in firsts if first], axis=0)).score))
        print(f"round {number}: BLEU {scores[-1]:.2f} on dev", flush=True)
        if scores[-1] >= max(scores):
            best = weights
        before, known = known, sum(each.translations() for each in pool)
        if number == settings.rounds or known == before:
            break
        found, _ = mert.optimise(_candidates(pool), np.array(weights), settings.restarts, settings.directions, rng)
        weights = tuple(found.tolist())
    return Tuned(best, scores)


class _Pool:
    """Every hypothesis of a sentence that any round has seen, once."""

    def __init__(self, references: Sequence[str]) -> None:
        self._references = references
        self._counts: dict[tuple[str, ...], bleu.Counts] = {}
        self.seen: dict[Hypothesis, bleu.Counts] = {}

    def add(self, found: Sequence[Hypothesis], scorer: bleu.BLEU) -> bleu.Counts | None:
        """-> the counts of the first of them."""
        for one in found:
            if one.words not in self._counts:
                self._counts[one.words] = bleu.statistics(" ".join(one.words), self._references, scorer)
            self.seen[one] = self._counts[one.words]
        return self._counts[found[0].words] if found else None

    def translations(self) -> int:
        """How many different ones there are."""
        return len(self._counts)


def _candidates(pool: Sequence[_Pool]) -> mert.Candidates:
    lists: list[Mapping[Hypothesis, bleu.Counts]] = [each.seen for each in pool if each.seen]
    most, features = max(map(len, lists)), len(next(iter(lists[0])).features)
    shape = (len(lists), most)
    filled = mert.Candidates(
        np.zeros((*shape, features)), np.zeros((*shape, len(bleu.Counts._fields)), int), np.zeros(shape, bool)
    )
    for row, seen in enumerate(lists):
        filled.features[row, : len(seen)] = [one.features for one in seen]
        filled.counts[row, : len(seen)] = list(seen.values())
        filled.there[row, : len(seen)] = True
    return filled
