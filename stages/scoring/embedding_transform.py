"""What an embedding transform found, held against the lexical table (Kuang et al. 2018, Table 7)."""

from collections.abc import Mapping
from typing import Any

from stages.measures.nearest_precision import precision
from stages.scoring.values import Metrics, number
from stages.translating.translations import Transform

FEW, MANY = 10, 1000
"""Most frequent source words that are asked: as many as the paper prints, and enough for a percentage."""

KEYS = (
    "transform_p1",
    "transform_p5",
    "transform_words",
    "transform_p1_top10",
    "transform_p5_top10",
    "transform_norm_x",
    "transform_norm_y",
    "transform_distance",
)


def transform_metrics(transform: Transform | None, best: Mapping[str, str]) -> Metrics:
    """Precision in percent at 1 and at 5, the number of words asked, and the lengths that would show a collapse of the
    embeddings; None for a system without a transform. `best`: best translation of a source word."""
    if transform is None:
        return dict.fromkeys(KEYS)
    words = [(word.word, word.targets) for word in transform.words]
    many, few = (precision(words, best, transform.targets, first) for first in (MANY, FEW))
    found = (many.at_1, many.at_5, many.asked, few.at_1, few.at_5)
    lengths = (transform.mean_norm_x, transform.mean_norm_y, transform.mean_distance)
    return dict(zip(KEYS, [number(value) for value in (*found, *lengths)], strict=True))


def transform_table(transform: Transform | None, best: Mapping[str, str]) -> list[dict[str, Any]] | None:
    """The most frequent words that can be asked, each with its nearest target words and the lexical table's."""
    if transform is None:
        return None
    asked = [word for word in transform.words if word.word in best and best[word.word] in transform.targets]
    return [
        {"word": word.word, "count": word.count, "nearest": word.targets, "lexicon": best[word.word]}
        for word in asked[:FEW]
    ]
