"""Which sentence the heat maps show: chosen by a rule, so that it flatters no system and is the same for all."""

from collections.abc import Sequence
from itertools import combinations

from stages.errors import InputError
from stages.measures.gold import Gold, Link
from stages.settings.report import ReportSettings


def choose(lengths: Sequence[int], golds: Sequence[Gold] | None, settings: ReportSettings) -> int:
    """Index of the sentence to show. `lengths`: source words of every sentence; `golds`: None without a gold set.

    Of the sentences whose length is nearest to the wanted range, the one with the most reordering (crossing links);
    without gold links the longest; the first of equals. A sentence named in the settings goes before the rule.
    Raises InputError if there is no such sentence.
    """
    if settings.sentence is not None:
        if settings.sentence > len(lengths):
            raise InputError(
                f"params.yaml: report.sentence is {settings.sentence}, but the set has {len(lengths)} sentences"
            )
        return settings.sentence - 1
    if not lengths:
        raise InputError("the set that the heat maps are drawn from has no sentence")

    def rank(k: int) -> tuple[int, int]:
        outside = max(settings.shortest - lengths[k], lengths[k] - settings.longest, 0)
        return -outside, lengths[k] if golds is None else crossings(golds[k].sure)

    return max(range(len(lengths)), key=rank)


def crossings(links: frozenset[Link]) -> int:
    """Pairs of links that cross, among the links whose source word and target word have no other link.

    Words linked many to many are left out: a block of links crosses itself without any reordering.
    """
    sources, targets = [i for i, _ in links], [j for _, j in links]
    single = [(i, j) for i, j in links if sources.count(i) == targets.count(j) == 1]
    return sum((i - k) * (j - l) < 0 for (i, j), (k, l) in combinations(single, 2))
