"""The verdicts of docs/claims.md, "What a verdict means", from differences with their intervals.

Written after that page and the margins that it names alone. Nothing here knows what it is compared with.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from tests.reports.intervals import Interval

MARGINS = {
    **dict.fromkeys(("bleu", "bleu_v11b", "bleu_cased", "bleu_unk_kept", "bleu_no_unk"), 0.5),
    **dict.fromkeys(("bleu1", "ter", "ter_minus_bleu_half", "rot"), 0.5),
    **dict.fromkeys(("aer", "saer", "align_f1_t02", "align_precision", "align_recall"), 1.0),
    **dict.fromkeys(("align_precision_t02", "align_recall_t02", "eos_aligned", "pos_confusion"), 1.0),
    **dict.fromkeys(("rot_NN", "rot_NR", "rot_DT", "rot_CD", "order_kept"), 1.0),
    **dict.fromkeys(("rot_outside", "rot_inside", "rot_NN_outside", "rot_NN_inside"), 1.0),
    **dict.fromkeys(("repeated_phrases", "cut_off"), 5.0),
    **dict.fromkeys(("coverage_left", "coverage_taken"), 5.0),
    "coverage_fertility": 0.1,
    "perplexity": 0.25,
    "length_ratio": 0.01,
}
TEXT_BOUND = ("perplexity", "repeated_phrases")
PERCENT_OF_ALL = ("eos_aligned", "pos_confusion", "align_precision", "align_recall")
ALIGNMENT = ("aer", "saer", "align_")
TRANSFORMERS = {"transformer", "transformer_aligned"}


class Claim(NamedTuple):
    """As metrics.json describes it: which way it goes, and the paper's difference as a number."""

    systems: Mapping[str, int]
    measure: str
    claimed: str
    printed: float | None

    @property
    def name(self) -> str:
        """Of the measure by itself."""
        return "pos_confusion" if "confusion" in self.measure else self.measure.split(".")[-1].removesuffix("_reverse")

    @property
    def printed_size(self) -> float | None:
        return None if self.printed is None or self.name in TEXT_BOUND else abs(self.printed)


def verdict(claim: Claim, found: Interval) -> tuple[str, str | None]:
    """And whether a gain as large as printed is possible."""
    if claim.claimed in ("equal", "not lower"):
        return _of_no_difference(claim, found), None
    sign = 1 if claim.claimed == "higher" else -1
    least, most = sorted((sign * found.low, sign * found.high))
    size = claim.printed_size
    gain = None if size is None else "excluded" if size > most else "possible"
    if most < 0:
        return "disagrees", gain
    if least > 0:
        return ("agrees, smaller than printed" if gain == "excluded" else "agrees"), gain
    if max(abs(found.low_90), abs(found.high_90)) < MARGINS[claim.name]:
        return "no difference above m", gain
    return ("undecided, printed gain excluded" if gain == "excluded" else "undecided"), gain


def _of_no_difference(claim: Claim, found: Interval) -> str:
    m, equal = MARGINS[claim.name], claim.claimed == "equal"
    if found.low_90 > -m and (found.high_90 < m or not equal):
        return "agrees"
    return "disagrees" if found.high < -m or (equal and found.low > m) else "undecided"


def at_its_ceiling(claim: Claim, control: float | None) -> bool:
    """control: mean of the system with a coefficient of -1, where one is compared with one."""
    if claim.name not in PERCENT_OF_ALL or claim.claimed != "higher" or sorted(claim.systems.values()) != [-1, 1]:
        return False
    return 100 - control < (MARGINS[claim.name] if claim.printed is None else abs(claim.printed))


def gold_is_far(claim: Claim, error_rates: Sequence[float]) -> bool:
    """error_rates: AER of every neural system with attention."""
    about = claim.measure.startswith(ALIGNMENT) and "smt" not in claim.systems
    return about and bool(error_rates) and min(error_rates) > 50


def no_case(claim: Claim, lowercase: bool) -> bool:
    return lowercase and claim.name == "bleu_cased"


def apart(systems: Collection[str], parameters: Mapping[str, float]) -> bool:
    """Whether a claim about them is corrected beside those on SMT, reconstructions, and a Transformer and something
    larger."""
    if "smt" in systems or any(name == "dhea" or name.startswith("feng_") for name in systems):
        return True
    pairs = [(parameters[one], parameters[other]) for one in TRANSFORMERS & set(systems) for other in systems]
    return any(other > 2 * one for one, other in pairs)


def adjusted(p: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's, of one family."""
    number, order = len(p), np.argsort(p)
    found, least = [0.0] * number, 1.0
    for rank in range(number, 0, -1):
        place = order[rank - 1]
        least = min(least, p[place] * number / rank)
        found[place] = least
    return found


def cochran(of: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Q and its p, of differences with their limits of 95 %."""
    weights = [(3.919927969080108 / (high - low)) ** 2 for _, low, high in of]
    middle = sum(w * d for w, (d, *_) in zip(weights, of, strict=True)) / sum(weights)
    q = sum(w * (d - middle) ** 2 for w, (d, *_) in zip(weights, of, strict=True))
    return q, float(stats.chi2.sf(q, len(of) - 1))


def mean_limits(of: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Of the mean of differences with their limits."""
    middle = sum(d for d, *_ in of) / len(of)
    below = sum((d - low) ** 2 for d, low, _ in of) ** 0.5
    above = sum((high - d) ** 2 for d, _, high in of) ** 0.5
    return middle - below / len(of), middle + above / len(of)
