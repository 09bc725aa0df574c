"""The target words that translate a source phrase best, for every phrase of an aligned text."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from stages.alignment.lexicon import WordPair, count_links, entries
from stages.alignment.phrases import Tokens, best_words, count_phrases
from stages.files.links import Link

LONGEST_SOURCE = 4
"""Mi et al. 2016."""
LONGEST_TARGET = 7
"""A link gone astray would make whole clauses a translation: Koehn et al. 2003 limit phrases to seven words."""
MOST = 20
"""Words of a source phrase that are kept, by phrases and by the lexicon: Jean et al. 2015 take 10 or 20, Mi et al. 2016
take 10."""


def phrase_table(sentences: Iterable[tuple[str, str, Collection[Link]]]) -> Iterator[str]:
    """Lines `source phrase<TAB>words, best first`, sorted; sentences: source line, target line, links of tokens.

    A phrase of one word has a second column: what the lexicon of the same links translates it with. A word that is only
    linked together with others has no phrase, and that column alone.

    The first has no phrase and all target words, the most frequent first, of equals as fairseq sorts a dictionary. (The
    ids of a joint dictionary do not say that: they count the source too.)
    """
    words: Counter[str] = Counter()
    linked: Counter[WordPair] = Counter()

    def split() -> Iterator[tuple[list[str], list[str], Collection[Link]]]:
        for source, target, links in sentences:
            one = source.split(" "), target.split(" "), links
            words.update(one[1])
            linked.update(count_links([one]))
            yield one

    counts = count_phrases(split(), LONGEST_SOURCE, LONGEST_TARGET)
    yield f"\t{' '.join(sorted(words, key=lambda word: (-words[word], word)))}"
    lexicon: defaultdict[Tokens, list[str]] = defaultdict(list)
    for entry in entries(linked):  # the most frequent first
        lexicon[entry.word,].append(entry.translation)
    for phrase in sorted({*counts, *lexicon}):
        columns = (best_words(counts.get(phrase, Counter()), MOST), lexicon.get(phrase, [])[:MOST])
        yield "\t".join([" ".join(phrase), *(" ".join(column) for column in columns if column)])
