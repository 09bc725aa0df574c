"""The target words that translate a source phrase best, for every phrase of an aligned text."""

from collections.abc import Iterable, Iterator

from stages.alignment.phrases import best_words, count_phrases
from stages.files.links import Link

LONGEST_SOURCE = 4
"""Mi et al. 2016."""
LONGEST_TARGET = 7
"""A link gone astray would make whole clauses a translation: Koehn et al. 2003 limit phrases to seven words."""
MOST = 20
"""Words of a source phrase that are kept: Jean et al. 2015 take 10 or 20, Mi et al. 2016 take 10."""


def phrase_table(sentences: Iterable[tuple[str, str, Iterable[Link]]]) -> Iterator[str]:
    """Lines `source phrase<TAB>words, best first`, sorted; sentences: source line, target line, links of tokens."""
    split = ((source.split(" "), target.split(" "), links) for source, target, links in sentences)
    counts = count_phrases(split, LONGEST_SOURCE, LONGEST_TARGET)
    for phrase in sorted(counts):
        yield f"{' '.join(phrase)}\t{' '.join(best_words(counts[phrase], MOST))}"
