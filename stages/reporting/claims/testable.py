"""Which claims a study cannot test, though it has the systems, the measure and the sentences: a verdict."""

from collections.abc import Sequence
from contextlib import suppress

from stages.files.run_directory import STATISTICAL
from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import CONFUSION, AbsentError, Counts
from stages.reporting.claims.margins import margin
from stages.scoring.catalogue import MEASURES

SHARES = ("eos_aligned", "align_precision", "align_recall")
"""Percentages of which more is better and 100 is all there is; those of `CONFUSION` too."""
FAR = 50.0
"""AER: above it more is wrong than right."""


def objection(
    claim: PaperClaim, counts: Counts, systems: Sequence[str], lowercase: bool, whole_words: bool = False
) -> str | None:
    """Why the claim is not testable on this text, None if it is.

    systems: of the study; lowercase: its text has no capitals; whole_words: they are not cut.

    Raises:
        AbsentError: a system of the claim has no such counts.
    """
    if lowercase and claim.measure.endswith("bleu_cased"):
        return "the text is lower-cased: there is no case to count"
    if claim.claim.sub_words and whole_words:
        return "words are not cut: some are unknown, and the claim is of text without such words"
    return _at_its_ceiling(claim, counts) or _gold_too_far(claim, counts, systems)


def _at_its_ceiling(claim: PaperClaim, counts: Counts) -> str | None:
    """The control leaves no room for the gain: of the paper, or where it prints none of one that matters."""
    ours, name = claim.claim.ours, claim.measure.rpartition(".")[2]
    if ours.against is None or ours.gains_over or not (name in SHARES or claim.measure.startswith(CONFUSION)):
        return None
    control = float(counts.trainings(ours.against, claim.measure, claim.claim.words).values.mean())
    gain = margin(claim.measure) if claim.difference is None else abs(float(claim.difference))
    if claim.sign < 0 or claim.of_no_difference or 100 - control >= gain:
        return None
    what = f"the paper's {gain:g}" if claim.difference is not None else f"a gain of {gain:g}"
    return f"{ours.against} has {control:.1f} % already, which leaves no room for {what}"


def _gold_too_far(claim: PaperClaim, counts: Counts, systems: Sequence[str]) -> str | None:
    """No system that attends finds half of the links, so what differs between two says little of alignment."""
    found = MEASURES.get(claim.measure)
    if found is None or found.sets != "gold" or set(claim.claim.ours.weights) & set(STATISTICAL):
        return None
    rates = []
    for system in systems:
        if system not in STATISTICAL:
            with suppress(AbsentError):
                rates.append(float(counts.trainings(system, "aer", None).values.mean()))
    if not rates or min(rates) <= FAR:
        return None
    return (
        f"the gold alignments are far from the training text: AER of attention is {min(rates):.0f} to {max(rates):.0f}"
    )
