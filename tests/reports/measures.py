"""Measures from counts of sentences as docs/measures.md defines them: plain NumPy, nothing of stages/."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Measure(NamedTuple):
    """columns: of a set's CSV file, in the order in which `value` takes their totals (..., columns)."""

    columns: tuple[str, ...]
    value: Callable[[np.ndarray], np.ndarray]


def _bleu_columns(name: str) -> tuple[str, ...]:
    grams = (f"{name}.{what}_{n}" for what in ("correct", "total") for n in range(1, 5))
    return (f"{name}.system_length", f"{name}.reference_length", *grams)


def _brevity_penalty(totals: np.ndarray) -> np.ndarray:
    system, reference = totals[..., 0], totals[..., 1]
    return np.where(system >= reference, 1.0, np.exp(1 - reference / np.maximum(system, 1e-9)))


def _bleu(totals: np.ndarray) -> np.ndarray:
    """sacrebleu's, with its exponential smoothing: the n-th precision of 0 counts as one half to the n of a gram."""
    correct, total = totals[..., 2:6], np.maximum(totals[..., 6:10], 1)
    missing = correct == 0
    smoothed = 0.5 ** np.cumsum(missing, -1)
    logs = np.log(100 * np.where(missing, smoothed, correct) / total)
    return _brevity_penalty(totals) * np.exp(logs.mean(-1))


def _bleu_unsmoothed(totals: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        logs = np.log(100 * totals[..., 2:6] / np.maximum(totals[..., 6:10], 1))
    return _brevity_penalty(totals) * np.exp(logs.mean(-1))


def _percent(totals: np.ndarray) -> np.ndarray:
    return 100 * totals[..., 0] / totals[..., 1]


def _error_rate(totals: np.ndarray) -> np.ndarray:
    links, sure, links_sure, links_possible = np.moveaxis(totals, -1, 0)
    return 100 * (1 - (links_sure + links_possible) / (links + sure))


def _correlation(totals: np.ndarray) -> np.ndarray:
    """Pearson's, from n and the sums of x, of y, of their squares and of their products."""
    _, x, y, xx, yy, xy = np.moveaxis(totals / totals[..., :1], -1, 0)
    return (xy - x * y) / np.sqrt((xx - x**2) * (yy - y**2))


def _columns(group: str, *parts: str) -> tuple[str, ...]:
    return tuple(f"{group}.{part}" for part in parts)


TER = ("ter.edits", "ter.reference_words")
BLEU, V11B = _bleu_columns("bleu"), _bleu_columns("bleu_v11b")
COVERAGE = _columns("coverage_embeddings", "last", "first")
CLASSES = ("N", "V", "CD", "JJ", "AD", "DT", "OTHER", "none")

MEASURES = {
    "bleu": Measure(BLEU, _bleu),
    "bleu_cased": Measure(_bleu_columns("bleu_cased"), _bleu),
    "bleu_unk_kept": Measure(_bleu_columns("bleu_unk_kept"), _bleu),
    "bleu_no_unk": Measure(_bleu_columns("bleu_no_unk"), _bleu),
    "bleu_v11b": Measure(V11B, _bleu_unsmoothed),
    "bleu1": Measure(V11B, lambda totals: _brevity_penalty(totals) * 100 * totals[..., 2] / totals[..., 6]),
    "ter": Measure(TER, _percent),
    "ter_minus_bleu_half": Measure(TER + BLEU, lambda totals: (_percent(totals) - _bleu(totals[..., 2:])) / 2),
    "repeated_phrases": Measure(("repeated.phrases",), lambda totals: totals[..., 0]),
    "aer": Measure(_columns("aer", "links", "sure", "links_sure", "links_possible"), _error_rate),
    "saer": Measure(_columns("saer", "attention", "sure", "attention_sure", "attention_possible"), _error_rate),
    "align_precision_t02": Measure(_columns("threshold", "both", "links"), _percent),
    "align_recall_t02": Measure(_columns("threshold", "both", "gold"), _percent),
    "length_ratio": Measure(BLEU[:2], lambda totals: totals[..., 0] / totals[..., 1]),
    "align_f1_t02": Measure(
        _columns("threshold", "links", "gold", "both"),
        lambda totals: 200 * totals[..., 2] / (totals[..., 0] + totals[..., 1]),
    ),
    "order_kept": Measure(_columns("order", "kept", "turned"), lambda totals: 100 * totals[..., 0] / totals.sum(-1)),
    "order_turned": Measure(_columns("order", "turned", "kept"), lambda totals: 100 * totals[..., 0] / totals.sum(-1)),
    "coverage_left": Measure(COVERAGE, _percent),
    "coverage_taken": Measure(COVERAGE, lambda totals: 100 - _percent(totals)),
    "coverage_fertility": Measure(
        _columns(
            "coverage_embeddings",
            *("words", "first", "linked", "first_squared", "linked_squared", "first_linked"),
        ),
        _correlation,
    ),
    "perplexity": Measure(
        ("perplexity.log_probability", "perplexity.tokens"), lambda totals: np.exp(-totals[..., 0] / totals[..., 1])
    ),
    "eos_aligned": Measure(("eos.aligned", "eos.finished"), _percent),
    "rot": Measure(("rot.repeats_all", "rot.words_all"), _percent),
    **{f"rot_{tag}": Measure((f"rot.repeats_{tag}", f"rot.words_{tag}"), _percent) for tag in ("NN", "NR", "DT", "CD")},
    **{
        f"rot_{part}": Measure(_columns("rot_vocabulary", f"repeats_{part}", f"words_{part}"), _percent)
        for part in ("outside", "inside", "NN_outside", "NN_inside")
    },
    **{
        f"pos_confusion.{tag}.{source}": Measure(
            tuple(f"confusion.{tag}_{other}" for other in sorted(CLASSES, key=lambda other: other != source)),
            lambda totals: 100 * totals[..., 0] / totals.sum(-1),
        )
        for tag in ("N", "V", "CD", "JJ")
        for source in CLASSES
    },
}
