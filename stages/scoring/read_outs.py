"""The word links of a system under forced decoding, read out of it in several ways, against those of the gold set.

Weights of words become links as those of attention do (`stages.measures.hard_links`).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stages.alignment import pharaoh
from stages.alignment.symmetrise import grow_diag_final_and
from stages.files.links import Link
from stages.files.text import check_counts
from stages.measures.gold_links import Gold, reverse
from stages.measures.hard_links import link_set, strongest
from stages.scoring.aligner_scores import quality
from stages.settings.languages import Direction
from stages.settings.scoring import EosPolicy

READ_OUTS = {
    "attention": "attention",
    "shifted": "attention of the next word (negative control)",
    "gradient": "gradient × input",
    "erasure": "erasure of the source word",
    "head": "best head on silver links",
    "intersection": "attention of both directions, intersection",
    "grow_diag_final_and": "attention of both directions, grow-diag-final-and",
}
"""Name -> how tables call it, in their order."""

Links = list[frozenset[Link]]
"""Of every sentence."""
Weights = Iterable[np.ndarray]
"""Of every sentence, (T + 1, S + 1) words, the end of sentence last on both sides."""


def links_of(weights: Weights, policy: EosPolicy, shift: int = 0) -> Links:
    """At most one link a target word. shift: by how many words the row that is read comes later: with 1 that of the
    next word, and of the last one that of the end of sentence (Chen et al. 2020, SHIFT-ATT)."""
    return [link_set(strongest(one[shift : len(one) - 1 + shift], policy)) for one in weights]


def both_directions(forward: Links, backward: Links) -> dict[str, Links]:
    """backward: of a system of the reverse direction, whose source is the target here."""
    turned = [frozenset((target, source) for source, target in one) for one in backward]
    pairs = list(zip(forward, turned, strict=True))
    return {
        "intersection": [a & b for a, b in pairs],
        "grow_diag_final_and": [frozenset(grow_diag_final_and(a, b)) for a, b in pairs],
    }


def best_head(heads: Mapping[Any, Links], silver: Sequence[Gold]) -> Any:
    """The key with the lowest error rate against silver links; of equals the first."""

    def rate(key: Any) -> float:
        found = quality(heads[key], silver).aer
        return 100.0 if found is None else found

    return min(heads, key=rate)


def read_silver(path: Path, direction: Direction, sentences: int) -> list[Gold]:
    """Links of the statistical aligner, all of them sure, in this direction.

    Raises:
        InputError: the file is missing or damaged, or is not of so many sentences.
    """
    links = [frozenset(one) for one in pharaoh.read(path)]
    check_counts((path, len(links)), (Path("dev"), sentences))
    golds = [Gold(one, one) for one in links]
    return golds if direction == "forward" else [reverse(one) for one in golds]
