"""Links, gold links and attention matrices for tests."""

import numpy as np

from stages.measures.gold_links import Gold


def links(line):
    """'1-1 2-3', counted from 1 as the papers do -> a set of links."""
    return frozenset((int(s) - 1, int(t) - 1) for s, t in (pair.split("-") for pair in line.split()))


def gold_of(sure, possible_only=""):
    return Gold(links(sure), links(sure) | links(possible_only))


def random_gold(rng, source_length, target_length):
    kinds = rng.choice(3, size=(source_length, target_length), p=(0.6, 0.2, 0.2))
    sure = frozenset(map(tuple, np.argwhere(kinds == 1).tolist()))
    return Gold(sure, sure | frozenset(map(tuple, np.argwhere(kinds == 2).tolist())))


def random_attention(rng, target_length, source_length):
    """Word level, with the end of sentence as last column."""
    return rng.dirichlet(np.full(source_length + 1, 0.5), size=target_length)


def present(counts):
    """The counts that are not 0, by column."""
    return {name: count for name, count in counts._asdict().items() if count}
