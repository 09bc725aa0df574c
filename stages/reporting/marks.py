"""How measures are called, which of their values compete with others, and marks of significance behind them."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.files.run_directory import STATISTICAL

NAMES = {
    "bleu": "BLEU",
    "bleu_cased": "BLEU cased",
    "bleu_v11b": "BLEU v11b",
    "bleu_unk_kept": "BLEU, unknown words kept",
    "bleu_no_unk": "BLEU, no unknown words",
    "bleu1": "1-gram BLEU",
    "chrf": "chrF",
    "ter": "TER",
    "ter_minus_bleu_half": "(TER−BLEU)/2",
    "rot": "ROT",
    "rot_NN": "ROT of nouns",
    "rot_NR": "ROT of proper nouns",
    "rot_DT": "ROT of determiners",
    "rot_CD": "ROT of numbers",
    "repeated_phrases": "repeated phrases",
    "aer": "AER",
    "saer": "SAER",
    "align_f1_t02": "F1 of links",
    "eos_aligned": "ends from ends, %",
    "perplexity": "dev perplexity",
}
"""By their name in metrics.json."""


LINKS = frozenset({"aer", "align_precision", "align_recall"})
"""Measures of word links, which a statistical system takes from an aligner."""

LONGER, CANDIDATES, ALIGNER = "longer", "candidates", "aligner"
"""Why values of a system do not compete: it was trained for longer; its softmax sees candidates only; its links are
those of an aligner."""


def apart(variant: str, measure: str, why: str = "") -> str:
    """Why a system's value does not compete with the others', "" if it does.

    Apart are all of a system that was trained for longer, the perplexity over candidates, and links of a word aligner
    beside those of attention. why: as in `StudySpec.apart`.
    """
    if why == LONGER:
        return LONGER
    if why == CANDIDATES and measure.rsplit(".", 1)[-1].startswith("perplexity"):
        return CANDIDATES
    return ALIGNER if variant in STATISTICAL and measure in LINKS else ""


GOLD_SET = "gold"

Marks = Mapping[tuple[str, str], str]
"""(variant, path of a measure in metrics.json) -> marks; a pair without any may be missing."""


def marks_record(compared: Mapping[str, Any]) -> dict[str, Any]:
    """`marks` of metrics.json: {"baseline", "sets": {set: {measure: {variant: marks}}}}, variants without any left out.

    compared: what comparisons.json says.
    """
    return {
        "baseline": compared["settings"]["baseline"],
        "sets": {
            name: {
                measure: {variant: entry["marks"] for variant, entry in entries.items() if entry and entry["marks"]}
                for measure, entries in measures.items()
            }
            for name, measures in compared["sets"].items()
        },
    }


def marks_of(record: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """By variant and path, from `marks` of a metrics.json.

    Each test set is tested by itself, so an average gets the marks that every test set has (a choice of ours, on the
    careful side). Measures of alignment get those of the gold set.
    """
    tests = {name: measures for name, measures in record["sets"].items() if name != GOLD_SET}
    above = {name: f"tests.{name}." for name in tests} | {GOLD_SET: ""}
    found = {
        (variant, above[name] + measure): marks
        for name, measures in record["sets"].items()
        for measure, of in measures.items()
        for variant, marks in of.items()
    }
    return found | _common(list(tests.values()))


def _common(tests: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Of the averages."""
    found = {}
    for measure, of in tests[0].items():
        for variant, marks in of.items():
            everywhere = [mark for mark in marks if all(mark in other[measure].get(variant, "") for other in tests)]
            found[variant, f"tests.average.{measure}"] = "".join(everywhere)
    return found
