"""Every measure that is one number: the counts it is made of and what they add up to."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from stages.measures import (
    aer,
    bleu,
    bleu_v11b,
    chrf,
    confusion,
    coverage,
    coverage_embeddings,
    entropy,
    eos,
    order,
    perplexity,
    repeated,
    rot,
    saer,
    ter,
    ter_minus_bleu,
    threshold,
)

GROUPS: dict[str, tuple[str, ...]] = {
    "source": ("words",),
    "bleu": bleu.Counts._fields,
    "bleu_cased": bleu.Counts._fields,
    "bleu_v11b": bleu.Counts._fields,
    "bleu_unk_kept": bleu.Counts._fields,
    "bleu_no_unk": ("sentences", *bleu.Counts._fields),
    "chrf": chrf.Counts._fields,
    "ter": ter.Counts._fields,
    "repeated": repeated.Counts._fields,
    "rot": rot.Counts._fields,
    "rot_vocabulary": rot.VocabularyCounts._fields,
    "eos": eos.Counts._fields,
    "entropy": entropy.Sums._fields,
    "coverage": coverage.Counts._fields,
    "order": order.Counts._fields,
    "confusion": confusion.Counts._fields,
    "perplexity": perplexity.Sums._fields,
    "coverage_embeddings": coverage_embeddings.Sums._fields,
    "aer": aer.Counts._fields,
    "aer_renorm": aer.Counts._fields,
    "saer": saer.Masses._fields,
    "threshold": threshold.Counts._fields,
}
"""Group of counts -> their names. A group is what one measure counts in a sentence."""


Rows = dict[str, np.ndarray]
"""Group -> the counts of every sentence of a set, (N, K), one row a sentence."""


Sets = Literal["tests", "dev", "gold"]
"""What is measured: `tests` the system's own translations of dev and the test sets, `dev` forced decoding of dev,
`gold` forced decoding of the gold set."""


class Measure(NamedTuple):
    """groups: the counts it is made of; value: their totals, one array (..., K) a group -> (...); better: which way."""

    groups: tuple[str, ...]
    value: Callable[..., np.ndarray]
    better: Literal["high", "low", None]
    sets: Sets


def _bleu_no_unk(totals: np.ndarray) -> np.ndarray:
    """nan if there is no sentence without unknown words."""
    return np.where(totals[..., 0] > 0, bleu.of_totals(totals[..., 1:]).score, np.nan)


def _rot_of(name: str) -> Measure:
    return Measure(("rot",), lambda totals: getattr(rot.of_totals(totals), name), "low", "tests")


def _rot_by_vocabulary(part: str) -> Measure:
    return Measure(("rot_vocabulary",), lambda totals: rot.of_part(totals, part), "low", "tests")


MEASURES: dict[str, Measure] = {
    "bleu": Measure(("bleu",), lambda totals: bleu.of_totals(totals).score, "high", "tests"),
    "bleu_cased": Measure(("bleu_cased",), lambda totals: bleu.of_totals(totals).score, "high", "tests"),
    "bleu_v11b": Measure(("bleu_v11b",), lambda totals: bleu_v11b.of_totals(totals).score, "high", "tests"),
    "bleu_unk_kept": Measure(("bleu_unk_kept",), lambda totals: bleu.of_totals(totals).score, "high", "tests"),
    "bleu_no_unk": Measure(("bleu_no_unk",), _bleu_no_unk, "high", "tests"),
    "no_unk_sentences": Measure(("bleu_no_unk",), lambda totals: totals[..., 0], None, "tests"),
    "bleu1": Measure(("bleu_v11b",), lambda totals: bleu_v11b.of_totals(totals).bleu1, "high", "tests"),
    "bleu1_individual": Measure(
        ("bleu_v11b",), lambda totals: bleu_v11b.of_totals(totals).bleu1_individual, "high", "tests"
    ),
    "chrf": Measure(("chrf",), chrf.of_totals, "high", "tests"),
    "ter": Measure(("ter",), ter.of_totals, "low", "tests"),
    "ter_minus_bleu_half": Measure(("ter", "bleu"), ter_minus_bleu.of_totals, "low", "tests"),
    "brevity_penalty": Measure(("bleu",), lambda totals: bleu.of_totals(totals).brevity_penalty, "high", "tests"),
    "length_ratio": Measure(("bleu",), lambda totals: bleu.of_totals(totals).length_ratio, None, "tests"),
    "repeated_phrases": Measure(("repeated",), lambda totals: repeated.of_totals(totals).phrases, "low", "tests"),
    "repeated_ngrams": Measure(("repeated",), lambda totals: repeated.of_totals(totals).ngrams, "low", "tests"),
    **{name: _rot_of(name) for name in rot.OverTranslation._fields},
    "attention_entropy": Measure(("entropy",), entropy.of_totals, None, "tests"),
    "eos_aligned": Measure(("eos",), eos.of_totals, "high", "tests"),
    "cut_off": Measure(("eos",), lambda totals: totals[..., 2], "low", "tests"),
    "perplexity": Measure(("perplexity",), perplexity.of_totals, "low", "dev"),
    "coverage_left": Measure(("coverage_embeddings",), coverage_embeddings.left, None, "dev"),
    "coverage_fertility": Measure(("coverage_embeddings",), coverage_embeddings.fertility, None, "dev"),
    "aer": Measure(("aer",), lambda totals: aer.of_totals(totals).aer, "low", "gold"),
    "saer": Measure(("saer",), saer.of_totals, "low", "gold"),
    "aer_renorm": Measure(("aer_renorm",), lambda totals: aer.of_totals(totals).aer, "low", "gold"),
    "align_precision": Measure(("aer",), lambda totals: aer.of_totals(totals).precision, "high", "gold"),
    "align_recall": Measure(("aer",), lambda totals: aer.of_totals(totals).recall, "high", "gold"),
    "align_precision_t02": Measure(
        ("threshold",), lambda totals: threshold.of_totals(totals).precision, "high", "gold"
    ),
    "align_recall_t02": Measure(("threshold",), lambda totals: threshold.of_totals(totals).recall, "high", "gold"),
    "align_f1_t02": Measure(("threshold",), lambda totals: threshold.of_totals(totals).f1, "high", "gold"),
}
"""By its name in metrics.json."""

OF_CLAIMS: dict[str, Measure] = {
    "order_kept": Measure(("order",), order.of_totals, None, "tests"),
    "order_turned": Measure(("order",), lambda totals: 100 - order.of_totals(totals), None, "tests"),
    **{f"rot_{part}": _rot_by_vocabulary(part) for part in rot.PARTS},
    "coverage_taken": Measure(
        ("coverage_embeddings",), lambda totals: 100 - coverage_embeddings.left(totals), None, "dev"
    ),
}
"""What only claims ask for, and metrics.json does not have."""

ADDED = ("coverage_left", "coverage_fertility")
"""Measures of metrics.json that results which were released before 2026-11-28 do not have; they have no value of it."""

COMPARED = {
    name: MEASURES[name]
    for name in ("bleu", "bleu_v11b", "bleu1", "chrf", "ter", "ter_minus_bleu_half", "rot", "aer", "saer")
}
"""The measures whose differences are tested."""
