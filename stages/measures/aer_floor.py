"""The lowest AER that one link per target word, or none, can reach on a gold set.

Minimising AER is maximising (2a + b) / (a + b + c + |S|), where a, b and c target words choose a sure link (counted in
A and S and in A and P), a possible link (in A and P only) and a link outside P. The value never exceeds 1, because
a <= |S|. A sure choice adds 2 to the numerator and 1 to the denominator, a possible one 1 and 1: by the mediant
inequality the first always raises a value <= 1 and the second never lowers it, while a link outside P adds 0 and 1
and never helps. So the optimum of the whole corpus is taken word by word: a sure link where there is one, else a
possible one, else none.
"""

from stages.measures.aer import Counts
from stages.measures.gold_links import Gold


def statistics(gold: Gold) -> Counts:
    """Counts of the best alignment of one sentence; `aer.of_totals` of their sum is the floor."""
    sure = len({t for _, t in gold.sure})
    linked = len({t for _, t in gold.possible})
    return Counts(links=linked, sure=len(gold.sure), links_sure=sure, links_possible=linked)
