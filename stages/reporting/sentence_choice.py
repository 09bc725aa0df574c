"""Which sentences the heat maps show: chosen by rules, so that they flatter no system and are the same for all."""

from collections.abc import Sequence
from itertools import combinations

from stages.files.errors import InputError
from stages.files.links import Link
from stages.measures.gold_links import Gold
from stages.settings.report import ReportSettings


def choices(lengths: Sequence[int], golds: Sequence[Gold] | None, settings: ReportSettings) -> dict[str, int]:
    """What a sentence is shown for -> its index.

    lengths: source words of every sentence; golds: None without a gold set.

    reordering, fertility: of the sentences whose length is nearest to the wanted range, the one with the most crossing
    links and, of the others, the one with the most links beyond the first of a source word. longest: without gold
    links. named: in the settings; it goes before the rules. The first of equals.
    Raises InputError if there is no such sentence.
    """
    if settings.sentence is not None:
        if settings.sentence > len(lengths):
            raise InputError(
                f"params.yaml: report.sentence is {settings.sentence}, but the set has {len(lengths)} sentences"
            )
        return {"named": settings.sentence - 1}
    if not lengths:
        raise InputError("the set that the heat maps are drawn from has no sentence")
    if golds is None:
        ranks = {"longest": list(lengths)}
    else:
        ranks = {rule: [of(gold.sure) for gold in golds] for rule, of in RULES.items()}
    outside = [max(settings.shortest - length, length - settings.longest, 0) for length in lengths]
    chosen: dict[str, int] = {}
    for rule, rank in ranks.items():
        left = [k for k in range(len(lengths)) if k not in chosen.values()]
        if left:
            chosen[rule] = max(left, key=lambda k: (-outside[k], rank[k]))
    return chosen


def crossings(links: frozenset[Link]) -> int:
    """Pairs of links that cross, among the links whose source word and target word have no other link.

    Words linked many to many are left out: a block of links crosses itself without any reordering.
    """
    sources, targets = [i for i, _ in links], [j for _, j in links]
    single = [(i, j) for i, j in links if sources.count(i) == targets.count(j) == 1]
    return sum((i - k) * (j - l) < 0 for (i, j), (k, l) in combinations(single, 2))


def fertility(links: frozenset[Link]) -> int:
    """Links beyond the first of each source word."""
    return len(links) - len({i for i, _ in links})


RULES = {"reordering": crossings, "fertility": fertility}
"""What a sentence is chosen for -> its rank by the sure links."""
