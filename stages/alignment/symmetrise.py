"""Two directed word alignments -> one (Koehn et al. 2005, "Edinburgh System Description", grow-diag-final-and)."""

from collections.abc import Collection

from stages.files.links import Link

NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: Collection[Link], reverse: Collection[Link]) -> set[Link]:
    """Start from the intersection and stay within the union.

    grow-diag: as long as anything is added, pass over the points in the order of source word and target word, those
    that this pass has added included, and add to each its neighbours (the diagonal ones too) of which at least one word
    has no link yet. final-and: then add the links of `forward`, then of `reverse`, of which neither word has one.
    """
    union = set(forward) | set(reverse)
    found = set(forward) & set(reverse)
    sources, targets = {i for i, _ in found}, {j for _, j in found}

    def add(i: int, j: int) -> None:
        found.add((i, j))
        sources.add(i)
        targets.add(j)

    points = sorted(union)
    before = -1
    while before < len(found):
        before = len(found)
        for i, j in points:
            if (i, j) not in found:
                continue
            for di, dj in NEIGHBOURS:
                near = i + di, j + dj
                if near in union and near not in found and (near[0] not in sources or near[1] not in targets):
                    add(*near)
    for links in (forward, reverse):
        for i, j in sorted(links):
            if i not in sources and j not in targets:
                add(i, j)
    return found
