"""What attention counts in every sentence, by group of `catalogue.GROUPS`: arrays (N, K), one row a sentence."""

from collections.abc import Collection, Sequence, Set
from itertools import repeat

import numpy as np

from stages.files.links import Link
from stages.measures import aer, confusion, coverage, coverage_embeddings, entropy, eos, order, rot, saer, threshold
from stages.measures.gold_links import Gold
from stages.measures.hard_links import link_set, strongest
from stages.scoring.catalogue import Rows
from stages.scoring.coverage_inputs import Covered
from stages.scoring.text_counts import fold
from stages.settings.scoring import EosPolicy, ScoreSettings
from stages.tagging.classes import Classes
from stages.translating.translations import Translation

THRESHOLD = 0.2
"""Mi et al. 2016 keep links above this weight."""


def attention_rows(
    translations: Sequence[Translation],
    language: str,
    source: Classes | None,
    target: Classes | None,
    vocabulary: Collection[str] | None,
) -> Rows:
    """What the attention of a system over its own translations gives; nothing for one that does not attend.

    language: of the translations. source, target: the parts of speech of the source and of the translations; None for a
    language that cannot be tagged. vocabulary: of the source, where words are not cut.
    """
    if not attends(translations):
        return {}
    best = [strongest(one.word_weights, "drop") for one in translations]
    classes = list(source or repeat(None, len(best)))
    repeats = [
        rot.repeats_per_word(fold(one.target, language), linked, len(one.source))
        for one, linked in zip(translations, best, strict=True)
    ]
    rows = {
        "rot": np.array([rot.statistics(*sentence) for sentence in zip(repeats, classes, strict=True)]),
        "eos": np.array([eos.statistics(one.weights, len(one.weights) > len(one.target)) for one in translations]),
        "entropy": np.array([entropy.statistics(one.word_weights) for one in translations]),
        "coverage": np.array([coverage.statistics(one.word_weights) for one in translations]),
        "order": np.array([order.statistics(linked) for linked in best]),
    }
    if vocabulary is not None:
        inside = [np.array([word in vocabulary for word in one.source], bool) for one in translations]
        words = zip(repeats, inside, classes, strict=True)
        rows["rot_vocabulary"] = np.array([rot.by_vocabulary(*sentence) for sentence in words])
    if source is not None and target is not None:
        tagged = zip(target, source, best, strict=True)
        rows["confusion"] = np.array([confusion.statistics(*sentence) for sentence in tagged])
    return rows


def alignment_rows(translations: Sequence[Translation], golds: Sequence[Gold], settings: ScoreSettings) -> Rows:
    """Of the force-decoded gold set; nothing without a gold set or for a system that does not attend."""
    if not attends(translations):
        return {}
    pairs = [(one.word_weights, gold) for one, gold in zip(translations, golds, strict=True)]
    return {
        "aer": _link_rows(pairs, settings.aer_eos),
        "aer_renorm": _link_rows(pairs, "renorm"),
        "saer": np.array([saer.statistics(attention[:, :-1], gold) for attention, gold in pairs]),
        "threshold": np.array([threshold.statistics(*pair, THRESHOLD, settings.aer_eos) for pair in pairs]),
    }


def link_rows(links: Sequence[Set[Link]], golds: Sequence[Gold]) -> Rows:
    """Of links that a word aligner gives, in the place of attention."""
    return {"aer": np.array([aer.statistics(*pair) for pair in zip(links, golds, strict=True)])}


def coverage_rows(covered: Sequence[Covered]) -> Rows:
    """Of coverage embeddings before and after each sentence of dev."""
    return {"coverage_embeddings": np.array([coverage_embeddings.statistics(*one) for one in covered])}


def _link_rows(pairs: Sequence[tuple[np.ndarray, Gold]], policy: EosPolicy) -> np.ndarray:
    return np.array([aer.statistics(link_set(strongest(attention, policy)), gold) for attention, gold in pairs])


def attends(translations: Sequence[Translation]) -> bool:
    return bool(translations) and all(one.attention is not None for one in translations)
