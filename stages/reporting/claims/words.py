"""How claims and verdicts are written."""

from collections.abc import Mapping
from typing import Literal

from stages.reporting.claims.claims import PaperClaim, Words, reconstructed
from stages.reporting.claims.counts import AVERAGE, CONFUSION, DEV, REVERSE
from stages.reporting.claims.judged import Judged
from stages.reporting.measure_names import NAMES
from stages.reporting.tables.table import ARROWS, MISSING, signed
from stages.scoring.catalogue import MEASURES, OF_CLAIMS
from stages.statistics.deciding import MOST_SEEDS, MOST_SENTENCES

LABELS = NAMES | {
    REVERSE: "dev perplexity, reverse",
    "length_ratio": "length ratio",
    "order_kept": "pairs in the source's order, %",
    "order_turned": "in the other order",
    "rot_outside": "ROT of unknown words",
    "rot_inside": "ROT of known words",
    "rot_NN_outside": "ROT of unknown nouns",
    "rot_NN_inside": "ROT of known nouns",
    "coverage_left": "left of coverage embeddings, %",
    "coverage_taken": "taken of them",
    "coverage_fertility": "correlation with fertility",
    "align_precision_t02": "precision of links",
    "align_recall_t02": "recall of links",
}
CLASSES = {"V": "verbs", "N": "nouns", "CD": "numbers", "JJ": "adjectives", "AD": "adverbs"}


def label(claim: PaperClaim) -> str:
    """`measure` but for what says which way is better."""
    found = measure(claim)
    for arrow in filter(None, ARROWS.values()):
        found = found.replace(arrow, "")
    return found


def measure(claim: PaperClaim) -> str:
    """With the lengths of the sentences, if these are chosen, and which way is better."""
    name = claim.measure
    if name.startswith(CONFUSION):
        target, source = name.removeprefix(CONFUSION).split(".")
        label = f"{CLASSES[target]} from {CLASSES[source]}, %"
        better: Literal["high", "low", None] = "high" if target == source else "low"
    else:
        name = name.removeprefix(AVERAGE).removeprefix(DEV)
        found = (MEASURES | OF_CLAIMS)["perplexity" if name == REVERSE else name]
        label, better = LABELS[name], found.better
    if claim.claim.beside_measure:
        label += f" less {LABELS[claim.claim.beside_measure.removeprefix(AVERAGE)]}"
    lengths = " less ".join(_words(words) for words in (claim.claim.words, claim.claim.beside_words) if words)
    return f"{label}{ARROWS[better]}{f', {lengths}' if lengths else ''}"


def _words(words: Words) -> str:
    low, high = words
    return f"{low}+ words" if high is None else f"{low}–{high} words"


def systems(claim: PaperClaim) -> str:
    """The difference of ours, such as `ba_nmt − rnnsearch_star`."""
    ours = claim.claim.ours
    sides = [name for name in (ours.system, ours.against) if name]
    return " − ".join(f"({name} − {ours.gains_over[name]})" if ours.gains_over else name for name in sides)


def paper_difference(claim: PaperClaim) -> str:
    return MISSING if claim.difference is None else f"{claim.difference:+}"


def decimals(margin: float | None) -> int:
    """Of a difference; margin: the largest that does not matter."""
    return 3 if margin is not None and margin < 0.1 else 2


def difference(judged: Judged) -> str:
    return MISSING if judged.difference is None else signed(judged.difference, decimals(judged.margin))


def bounds(judged: Judged) -> str:
    if judged.low is None or judged.high is None:
        return MISSING
    low, high = (signed(end, decimals(judged.margin)) for end in (judged.low, judged.high))
    return f"{low} to {high}"


def verdict(judged: Judged) -> str:
    """With the margin in the place of m, and whether it was planned."""
    said = of_margin(judged.verdict, judged.margin) + (" (planned)" if judged.plan else "")
    return said + marked(judged.claim.claim.ours.weights)


def marked(weights: Mapping[str, int]) -> str:
    """What is put to a verdict on these systems."""
    return " (reconstruction)" if reconstructed(weights) else ""


def of_margin(said: str, margin: float | None) -> str:
    return said if margin is None else said.replace(" above m", f" above {margin:g}")


def decided_by(judged: Judged) -> str:
    """Of an undecided claim what would decide it, of one that is not testable or not compared why not."""
    if judged.why:
        return judged.why
    if judged.verdict == "one seed":
        return "other trainings of both systems"
    if not judged.verdict.startswith("undecided"):
        return MISSING
    sentences = f"{judged.sentences_needed:,} sentences" if judged.sentences_needed else None
    each = [one for one in (_seeds(judged), sentences) if one]
    return " or ".join(each) or f"neither {MOST_SEEDS} seeds nor {MOST_SENTENCES:,} sentences"


def _seeds(judged: Judged) -> str | None:
    if judged.seeds_needed is None or judged.seeds is None:
        return None
    hours = "" if judged.hours_needed is None else f", {judged.hours_needed:.0f} CPU-hours"
    trainings = (judged.seeds_needed - judged.seeds) * len(judged.to_train)
    return f"{judged.seeds_needed} seeds of {' and '.join(judged.to_train)} ({trainings} trainings{hours})"
