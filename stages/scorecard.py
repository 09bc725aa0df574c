"""All measures of one system: per-sentence rows first, then the values that they add up to."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stages.detokenise import detokenise
from stages.measures import aer, bleu, floor, links, perplexity, repeated, rot, saer, threshold
from stages.measures.gold import Gold
from stages.measures.links import EosPolicy
from stages.settings.score import ScoreSettings
from stages.translations import Translation

THRESHOLD = 0.2
"""Mi et al. 2016 keep links above this weight."""

Metrics = dict[str, float | None]


class TranslationRows(NamedTuple):
    """One row a sentence, each array (N, K) with the columns of its measure."""

    bleu: np.ndarray
    bleu_cased: np.ndarray
    repeated: np.ndarray
    rot: np.ndarray | None


class AlignmentRows(NamedTuple):
    """One row a sentence, each array (N, K) with the columns of its measure; None in a system without attention."""

    drop: np.ndarray
    renorm: np.ndarray
    saer: np.ndarray
    threshold: np.ndarray


def translation_rows(
    translations: Sequence[Translation],
    references: Sequence[Sequence[str]],
    target_language: str,
    settings: ScoreSettings,
) -> TranslationRows:
    """Rows of a decoded set; references: per sentence, one or more. Repetition is counted on case-folded words."""
    words = [translation.target for translation in translations]
    hypotheses = detokenise(words, target_language) if settings.detokenise else [" ".join(target) for target in words]
    insensitive, sensitive = (bleu.scorer(settings.bleu_tokenize, lowercase) for lowercase in (True, False))
    pairs = list(zip(hypotheses, references, strict=True))
    return TranslationRows(
        bleu=np.array([bleu.statistics(hypothesis, refs, insensitive) for hypothesis, refs in pairs]),
        bleu_cased=np.array([bleu.statistics(hypothesis, refs, sensitive) for hypothesis, refs in pairs]),
        repeated=np.array([repeated.statistics(_fold(target)) for target in words]),
        rot=_rot_rows(translations),
    )


def _rot_rows(translations: Sequence[Translation]) -> np.ndarray | None:
    if not _attends(translations):
        return None
    return np.array(
        [
            rot.statistics(
                rot.repeats_per_word(
                    _fold(translation.target),
                    links.strongest(translation.word_attention, "drop"),
                    len(translation.source),
                )
            )
            for translation in translations
        ]
    )


def translation_metrics(rows: TranslationRows) -> Metrics:
    """Percent, but for length_ratio (words of the system over words of the closest reference) and the two counts."""
    insensitive = bleu.aggregate(rows.bleu)
    phrases = repeated.aggregate(rows.repeated)
    return {
        "bleu": insensitive.score,
        "bleu_cased": bleu.aggregate(rows.bleu_cased).score,
        "length_ratio": _number(insensitive.length_ratio),
        "rot": None if rows.rot is None else _number(rot.aggregate(rows.rot)),
        "repeated_phrases": phrases.phrases,
        "repeated_ngrams": phrases.ngrams,
    }


def alignment_rows(translations: Sequence[Translation], golds: Sequence[Gold]) -> AlignmentRows | None:
    """Rows of the force-decoded gold set; None if there is no gold set or the system has no attention."""
    if not _attends(translations):
        return None
    pairs = [(translation.word_attention, gold) for translation, gold in zip(translations, golds, strict=True)]
    return AlignmentRows(
        drop=_link_rows(pairs, "drop"),
        renorm=_link_rows(pairs, "renorm"),
        saer=np.array([saer.statistics(attention[:, :-1], gold) for attention, gold in pairs]),
        threshold=np.array([threshold.statistics(attention, gold, THRESHOLD) for attention, gold in pairs]),
    )


def _link_rows(pairs: Sequence[tuple[np.ndarray, Gold]], eos: EosPolicy) -> np.ndarray:
    return np.array(
        [aer.statistics(links.link_set(links.strongest(attention, eos)), gold) for attention, gold in pairs]
    )


def alignment_metrics(rows: AlignmentRows | None, eos: EosPolicy) -> Metrics:
    """Percent; aer, align_precision and align_recall under that policy, aer_renorm always under `renorm`."""
    if rows is None:
        return dict.fromkeys(ALIGNMENT_KEYS)
    scores = {"drop": aer.aggregate(rows.drop), "renorm": aer.aggregate(rows.renorm)}
    above = threshold.aggregate(rows.threshold)
    values = (
        scores[eos].aer,
        saer.aggregate(rows.saer),
        scores[eos].precision,
        scores[eos].recall,
        scores["renorm"].aer,
        above.precision,
        above.recall,
        above.f1,
    )
    return {key: _number(value) for key, value in zip(ALIGNMENT_KEYS, values, strict=True)}


ALIGNMENT_KEYS = (
    "aer",
    "saer",
    "align_precision",
    "align_recall",
    "aer_renorm",
    "align_precision_t02",
    "align_recall_t02",
    "align_f1_t02",
)


def aer_floor(golds: Sequence[Gold]) -> float | None:
    """Percent: the best AER that one link per target word, or none, can reach; None without gold set."""
    if not golds:
        return None
    return _number(aer.aggregate(np.array([floor.statistics(gold) for gold in golds])).aer)


def perplexity_of(translations: Sequence[Translation]) -> float | None:
    """Perplexity of the force-decoded references."""
    return _number(
        perplexity.aggregate(
            np.array([perplexity.statistics(translation.log_probabilities) for translation in translations])
        )
    )


def _attends(translations: Sequence[Translation]) -> bool:
    return bool(translations) and all(translation.attention is not None for translation in translations)


def _fold(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _number(value: np.ndarray | float) -> float | None:
    """An undefined value (0/0) is null in the scores."""
    return None if math.isnan(value) else float(value)


def row(variant: str, seed: int, metrics: Metrics) -> str:
    """One readable line about a system; a value that does not apply is a dash."""

    def show(key: str, form: str = ".2f", unit: float = 1.0) -> str:
        value = metrics[key]
        return "–" if value is None else format(value / unit, form)

    return "  ".join(
        (
            f"{variant:<16}",
            f"seed {seed}",
            f"BLEU {show('bleu')}",
            f"cased {show('bleu_cased')}",
            f"ppl {show('perplexity')}",
            f"AER {show('aer', '.1f')} (floor {show('aer_floor', '.1f')})",
            f"SAER {show('saer', '.1f')}",
            f"ROT {show('rot')}",
            f"rep {show('repeated_phrases', '.0f')}",
            f"{show('parameters', '.1f', 1e6)}M params",
            f"{show('train_tokens_per_second', ',.0f')} tok/s",
            f"{show('wall_seconds', ',.0f')} s",
        )
    )
