"""Both directions of links into one: cases by hand, and the pseudo-code of Koehn et al. (2005)."""

import random

import pytest

from stages.alignment import pharaoh
from stages.alignment.symmetrise import grow_diag_final_and


@pytest.mark.parametrize(
    ("forward", "reverse", "both"),
    [
        ("", "", ""),
        ("0-0 1-1", "0-0 1-1", "0-0 1-1"),
        ("0-0 1-1", "", "0-0 1-1"),  # final: nothing is agreed on, but no word has a link yet
        ("", "0-1 1-0", "0-1 1-0"),
        ("0-0 0-1", "0-0", "0-0 0-1"),  # grow: beside a link
        ("0-0 1-1", "0-0", "0-0 1-1"),  # diag: diagonally beside it
        ("0-0 0-2", "0-0", "0-0"),  # not beside it, and source word 0 has a link: neither grow nor final-and
        ("0-0 2-2", "0-0", "0-0 2-2"),  # not beside it, and neither word has one: final-and
        ("0-0 0-1 0-2", "0-0", "0-0 0-1 0-2"),  # step by step
        ("0-0 1-1 0-1", "0-0 1-1 1-0", "0-0 1-1"),  # beside it, but both words have links
        ("0-0 1-0", "0-0 0-1 1-1", "0-0 0-1 1-0"),  # 1-0 and 0-1 come before the diagonal 1-1, which then has links
        ("2-0", "0-2 2-2", "0-2 2-0"),  # final: forward first, 2-2 then finds source word 2 taken
        ("2-2", "2-0 0-2", "2-2"),
    ],
)
def test_grow_diag_final_and(forward: str, reverse: str, both: str) -> None:
    assert pharaoh.write(grow_diag_final_and(pharaoh.parse(forward), pharaoh.parse(reverse))) == both


def by_the_paper(forward: set, reverse: set, sources: int, targets: int) -> set:
    """The pseudo-code of Koehn et al. (2005), word for word, over the whole grid.

    nltk cannot be the second implementation: its grow_diag_final_and (3.10.4) looks words up among the keys "e" and
    "f", finds none linked, and returns the union.
    """
    neighbouring = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
    alignment = {link for link in forward if link in reverse}

    def source_aligned(i: int) -> bool:
        return any(link[0] == i for link in alignment)

    def target_aligned(j: int) -> bool:
        return any(link[1] == j for link in alignment)

    new = True
    while new:
        new = False
        for i in range(sources):
            for j in range(targets):
                if (i, j) in alignment:
                    for di, dj in neighbouring:
                        point = (i + di, j + dj)
                        free = not source_aligned(point[0]) or not target_aligned(point[1])
                        if free and point in forward | reverse and point not in alignment:
                            alignment.add(point)
                            new = True
    for directed in (forward, reverse):
        for i in range(sources):
            for j in range(targets):
                if not source_aligned(i) and not target_aligned(j) and (i, j) in directed:
                    alignment.add((i, j))
    return alignment


def some_links(generator: random.Random) -> tuple[set, set, int, int]:
    """Links of both directions as an aligner gives them, a bit wilder."""
    sources, targets = generator.randint(1, 8), generator.randint(1, 8)
    forward = {(generator.randrange(sources), j) for j in range(targets) if generator.random() < 0.8}
    reverse = {(i, generator.randrange(targets)) for i in range(sources) if generator.random() < 0.8}
    shared = {link for link in forward if generator.random() < 0.5}
    return forward, reverse | shared, sources, targets


def test_symmetrisation_is_that_of_the_paper() -> None:
    generator = random.Random(3)
    for _ in range(300):
        forward, reverse, sources, targets = some_links(generator)
        found = grow_diag_final_and(forward, reverse)
        assert found == by_the_paper(forward, reverse, sources, targets), (forward, reverse)


def test_symmetrisation_does_not_depend_on_the_order_of_the_links() -> None:
    generator = random.Random(4)
    for _ in range(50):
        forward, reverse, _, _ = some_links(generator)
        shuffled = [generator.sample(sorted(links), len(links)) for links in (forward, reverse)]
        assert grow_diag_final_and(*shuffled) == grow_diag_final_and(sorted(forward), sorted(reverse))
