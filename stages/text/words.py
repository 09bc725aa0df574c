"""Words of text that blanks part."""

from collections import Counter
from collections.abc import Iterable


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Occurrences of each word, or piece."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.split(" "))
    return counts
