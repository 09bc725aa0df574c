"""Which systems and findings a report begins with: chosen by rules, which the page states."""

from collections.abc import Mapping, Sequence

import pandas as pd

from stages.reporting.claims.claims import Contrast, contrast, counted_apart
from stages.reporting.claims.judged import AGREES, DISAGREES, Judged
from stages.reporting.claims.tally import LEVEL
from stages.reporting.figures.families import Family

SYSTEMS, FINDINGS = 10, 3
SYSTEM_RULE = (
    f"These {SYSTEMS} are the baseline and, of each other family, the system with the highest BLEU. The systems of the "
    f"next highest BLEU fill the table; of more than {SYSTEMS} families those with the highest BLEU are shown."
)
FINDING_RULE = (
    "They are chosen by a rule, from the claims about the difference of two systems that are decided at a false "
    f"discovery rate of {100 * LEVEL:.0f} %, without SMT and the Transformer. Claims whose printed difference has a "
    "comparable size come first. Then comes what is largest, in multiples of the largest difference that does not "
    "matter. No two findings share their pair of systems or their measure."
)


def front_systems(bleu: pd.Series, families: Mapping[str, Family], baseline: str) -> list[str]:
    """At most `SYSTEMS` systems, in the order of `bleu`, by `SYSTEM_RULE`.

    bleu: of every system, missing ones left out. families: a system that has none is a family of its own.
    """
    ranked = [baseline] * (baseline in bleu.index)
    ranked += [name for name in bleu.sort_values(ascending=False, kind="stable").index if name != baseline]
    first: dict[Family | str, str] = {}
    for name in ranked:
        first.setdefault(families.get(name, name), name)
    leading = list(first.values())
    chosen = {*[*leading, *(name for name in ranked if name not in leading)][:SYSTEMS]}
    return [name for name in bleu.index if name in chosen]


def front_findings(judged: Sequence[Judged]) -> list[Judged]:
    """At most `FINDINGS` claims, by `FINDING_RULE`."""
    found: list[Judged] = []
    for one in sorted(filter(_decided, judged), key=lambda one: (one.printed_gain is None, -_size(one))):
        if not any(_pair(one) == _pair(other) or one.claim.measure == other.claim.measure for other in found):
            found.append(one)
    return found[:FINDINGS]


def _decided(one: Judged) -> bool:
    weights = one.claim.claim.ours.weights
    decided = one.verdict in (*AGREES, *DISAGREES) and one.p_fdr is not None and one.p_fdr <= LEVEL
    return decided and len(weights) == 2 and not counted_apart(weights)


def _pair(one: Judged) -> Contrast:
    return contrast(one.claim.claim.ours.weights)


def _size(one: Judged) -> float:
    assert one.difference is not None and one.margin is not None  # every decided claim has both
    return abs(one.difference) / one.margin
