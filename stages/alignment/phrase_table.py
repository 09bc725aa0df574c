"""The target words that translate a source phrase best, for every phrase of an aligned text."""

from collections import Counter
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
    """Lines `source phrase<TAB>words, best first`, sorted; sentences: source line, target line, links of tokens.

    The first has no phrase and all target words, the most frequent first, of equals as fairseq sorts a dictionary. (The
    ids of a joint dictionary do not say that: they count the source too.)
    """
    words: Counter[str] = Counter()

    def split() -> Iterator[tuple[list[str], list[str], Iterable[Link]]]:
        for source, target, links in sentences:
            pair = source.split(" "), target.split(" ")
            words.update(pair[1])
            yield *pair, links

    counts = count_phrases(split(), LONGEST_SOURCE, LONGEST_TARGET)
    yield f"\t{' '.join(sorted(words, key=lambda word: (-words[word], word)))}"
    for phrase in sorted(counts):
        yield f"{' '.join(phrase)}\t{' '.join(best_words(counts[phrase], MOST))}"
