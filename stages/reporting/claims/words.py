"""How claims and verdicts are written."""

from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import AVERAGE, CONFUSION, DEV, REVERSE
from stages.reporting.claims.judge import Judged
from stages.reporting.measure_names import NAMES
from stages.reporting.tables.table import ARROWS, MISSING
from stages.reporting.tables.written import signed
from stages.scoring.catalogue import MEASURES

LABELS = NAMES | {REVERSE: "dev perplexity, reverse"}
CLASSES = {"V": "verbs", "N": "nouns", "CD": "numbers", "JJ": "adjectives"}


def measure(claim: PaperClaim) -> str:
    """With the lengths of the sentences, if these are chosen, and which way is better."""
    name = claim.measure
    if name.startswith(CONFUSION):
        words = CLASSES[name.removeprefix(CONFUSION).split(".")[0]]
        label, better = f"{words} from {words}, %", "high"
    else:
        name = name.removeprefix(AVERAGE).removeprefix(DEV)
        label, better = LABELS[name], MEASURES["perplexity" if name == REVERSE else name].better
    lengths = " less ".join(_words(words) for words in (claim.claim.words, claim.claim.beside_words) if words)
    return f"{label}{ARROWS[better]}{f', {lengths}' if lengths else ''}"


def _words(words: tuple[int, int | None]) -> str:
    low, high = words
    return f"{low}+ words" if high is None else f"{low}–{high} words"


def systems(claim: PaperClaim) -> str:
    """The difference of ours, such as `ba_nmt − rnnsearch_star`."""
    ours = claim.claim.ours
    if ours.gains_over:
        sides = (f"({name} − {ours.gains_over[name]})" for name in (ours.system, ours.against))
    else:
        sides = (name for name in (ours.system, ours.against) if name)
    return " − ".join(sides)


def paper_difference(claim: PaperClaim) -> str:
    return MISSING if claim.difference is None else f"{claim.difference:+}"


def difference(judged: Judged) -> str:
    return MISSING if judged.difference is None else signed(judged.difference)


def bounds(judged: Judged) -> str:
    return MISSING if judged.low is None else f"{signed(judged.low)} to {signed(judged.high)}"


def decided_by(judged: Judged) -> str:
    """Of an undecided claim what would decide it, of one that is not compared why not."""
    if judged.why:
        return judged.why
    if judged.verdict == "one seed":
        return "other trainings of both systems"
    if judged.verdict != "undecided":
        return MISSING
    each = ((judged.seeds_needed, "seeds"), (judged.sentences_needed, "sentences"))
    found = " or ".join(f"{number:,} {what}" for number, what in each if number is not None)
    return found or "neither more seeds nor more sentences alone"
