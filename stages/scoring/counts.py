"""The counts of every sentence, by group of `catalogue.GROUPS`: arrays (N, K), one row a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.measures import (
    aer,
    bleu,
    bleu_v11b,
    chrf,
    confusion,
    coverage,
    entropy,
    eos,
    perplexity,
    repeated,
    rot,
    saer,
    ter,
    threshold,
)
from stages.measures import hard_links as links
from stages.measures.gold import Gold
from stages.settings.scoring import ScoreSettings
from stages.text.detokenise import detokenise
from stages.text.unknown import replace_unknown
from stages.translating.translations import Translation

THRESHOLD = 0.2
"""Mi et al. 2016 keep links above this weight."""

Rows = dict[str, np.ndarray]
Classes = Sequence[Sequence[str]] | None
"""The part of speech of every word of every sentence; None for a language that cannot be tagged."""


class Reading(NamedTuple):
    """How text is compared: settings, the language translated into, and each source word's best translation."""

    settings: ScoreSettings
    language: str
    best: Mapping[str, str]


def known_words(translations: Iterable[Translation], reading: Reading) -> list[Translation]:
    """The translations with what stands in for their unknown words."""
    rule, best = reading.settings.unk_replace, reading.best
    return [
        one._replace(target=replace_unknown(one.target, one.source, one.word_attention, rule, best))
        for one in translations
    ]


def text_rows(translations: Sequence[Translation], references: Sequence[Sequence[str]], reading: Reading) -> Rows:
    """What counts words against references; translations as the system gave them, references: per sentence, one or
    more. Repetition is counted on case-folded words."""
    settings = reading.settings
    insensitive, sensitive = (bleu.scorer(settings.bleu_tokenize, lowercase) for lowercase in (True, False))
    tokeniser = ter.tokeniser(normalized=settings.detokenise)
    words = [one.target for one in known_words(translations, reading)]
    pairs = list(zip(_texts(words, reading), references, strict=True))
    rows = {
        "source": np.array([[len(one.source)] for one in translations]),
        "bleu": np.array([bleu.statistics(*pair, insensitive) for pair in pairs]),
        "bleu_cased": np.array([bleu.statistics(*pair, sensitive) for pair in pairs]),
        "bleu_v11b": np.array([bleu_v11b.statistics(*pair) for pair in pairs]),
        "chrf": np.array([chrf.statistics(*pair) for pair in pairs]),
        "ter": np.array([ter.statistics(*pair, tokeniser) for pair in pairs]),
        "repeated": np.array([repeated.statistics(fold(target)) for target in words]),
    }
    given = [one.target for one in translations]
    return rows | {"bleu_unk_kept": _with_unknown_words(given, words, rows["bleu"], references, reading, insensitive)}


def _with_unknown_words(
    given: Sequence[Sequence[str]],
    words: Sequence[Sequence[str]],
    rows: np.ndarray,
    references: Sequence[Sequence[str]],
    reading: Reading,
    scorer: bleu.BLEU,
) -> np.ndarray:
    """BLEU's counts with unknown words left as they are: `rows`, but where a sentence differs."""
    kept = rows.copy()
    for k, (before, after) in enumerate(zip(given, words, strict=True)):
        if list(before) != list(after):
            (text,) = _texts([before], reading)
            kept[k] = bleu.statistics(text, references[k], scorer)
    return kept


def no_unk_rows(translations: Mapping[int, Translation], references: Sequence[Sequence[str]], reading: Reading) -> Rows:
    """BLEU's counts of the sentences without unknown words (row -> translation); of the others zeros."""
    scorer = bleu.scorer(reading.settings.bleu_tokenize, lowercase=True)
    counts = np.zeros((len(references), 1 + len(bleu.Counts._fields)), int)
    texts = _texts([one.target for one in translations.values()], reading)
    for k, text in zip(translations, texts, strict=True):
        counts[k] = (1, *bleu.statistics(text, references[k], scorer))
    return {"bleu_no_unk": counts}


def attention_rows(translations: Sequence[Translation], source: Classes, target: Classes) -> Rows:
    """What the attention of a system over its own translations gives; nothing for one that does not attend.

    source, target: the parts of speech of the source and of the translations.
    """
    if not attends(translations):
        return {}
    best = [links.strongest(one.word_attention, "drop") for one in translations]
    rows = {
        "rot": np.array(
            [
                rot.statistics(rot.repeats_per_word(fold(one.target), linked, len(one.source)), tags)
                for one, linked, tags in zip(translations, best, source or [None] * len(best), strict=True)
            ]
        ),
        "eos": np.array([eos.statistics(one.attention, len(one.attention) > len(one.target)) for one in translations]),
        "entropy": np.array([entropy.statistics(one.word_attention) for one in translations]),
        "coverage": np.array([coverage.statistics(one.word_attention) for one in translations]),
    }
    if source is not None and target is not None:
        tagged = zip(target, source, best, strict=True)
        rows["confusion"] = np.array([confusion.statistics(*sentence) for sentence in tagged])
    return rows


def alignment_rows(translations: Sequence[Translation], golds: Sequence[Gold], settings: ScoreSettings) -> Rows:
    """Of the force-decoded gold set; nothing without a gold set or for a system that does not attend."""
    if not attends(translations):
        return {}
    pairs = [(one.word_attention, gold) for one, gold in zip(translations, golds, strict=True)]
    return {
        "aer": _link_rows(pairs, settings.aer_eos),
        "aer_renorm": _link_rows(pairs, "renorm"),
        "saer": np.array([saer.statistics(attention[:, :-1], gold) for attention, gold in pairs]),
        "threshold": np.array([threshold.statistics(attention, gold, THRESHOLD) for attention, gold in pairs]),
    }


def _link_rows(pairs: Sequence[tuple[np.ndarray, Gold]], policy: links.EosPolicy) -> np.ndarray:
    return np.array(
        [aer.statistics(links.link_set(links.strongest(attention, policy)), gold) for attention, gold in pairs]
    )


def probability_rows(translations: Sequence[Translation]) -> Rows:
    """Of the force-decoded dev set."""
    return {"perplexity": np.array([perplexity.statistics(one.log_probabilities) for one in translations])}


def attends(translations: Sequence[Translation]) -> bool:
    return bool(translations) and all(one.attention is not None for one in translations)


def fold(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _texts(sentences: Sequence[Sequence[str]], reading: Reading) -> list[str]:
    """What is compared with the references."""
    if reading.settings.detokenise:
        return detokenise(sentences, reading.language)
    return [" ".join(words) for words in sentences]
