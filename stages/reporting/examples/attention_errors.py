"""What the attention of one translation shows: what it says too often, what it leaves out, and where it ends."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from stages.measures.hard_links import NO_LINK, strongest
from stages.scoring.text_counts import fold
from stages.translating.translations import Translation

CONTENT = frozenset({"NN", "NR", "NT", "CD", "V", "JJ"})
"""Classes of `tagging.classes` whose words a translation cannot do without: nouns, numbers, verbs, adjectives."""


class AttentionErrors(NamedTuple):
    """Positions of words, from 0, each tuple rising.

    over_translated: target words that another one before has said already, by way of the same source word, and of which
    the translation has more than any reference. left_out: content words of the source that no target word looks at.
    behind_end: of these, the ones behind every source word that the translation or its end looks at.
    """

    over_translated: tuple[int, ...]
    left_out: tuple[int, ...]
    behind_end: tuple[int, ...]


def attention_errors(
    translation: Translation, references: Sequence[Sequence[str]], content: Sequence[bool]
) -> AttentionErrors:
    """`references`: in words; `content`: of every source word whether it counts. The translation has attention.

    A target word looks at the source word of its highest weight, as in ROT and AER.
    """
    links = strongest(translation.word_weights, "drop").tolist()
    seen = set(links)
    left_out = tuple(j for j, counts in enumerate(content) if counts and j not in seen)
    end = max([_end(translation), *links])
    return AttentionErrors(
        _over_translated(translation.target, links, references), left_out, tuple(j for j in left_out if j > end)
    )


def content_words(words: Sequence[str], classes: Sequence[str] | None) -> list[bool]:
    """Of every source word whether it counts; without classes, whether it is no punctuation."""
    if classes is None:
        return [any(map(str.isalnum, word)) for word in words]
    return [name in CONTENT for name in classes]


def _over_translated(
    target: Sequence[str], links: Sequence[int], references: Sequence[Sequence[str]]
) -> tuple[int, ...]:
    words = fold(target)
    allowed: Counter[str] = Counter()
    for reference in references:
        allowed |= Counter(fold(reference))
    number, said, found = Counter(words), set(), []
    for i, pair in enumerate(zip(links, words, strict=True)):
        link, word = pair
        if link != NO_LINK and pair in said and number[word] > allowed[word]:
            found.append(i)
        said.add(pair)
    return tuple(found)


def _end(translation: Translation) -> int:
    """Source position that the end of the translation looks at, the source's own end among them; so too if cut off."""
    length = len(translation.source)
    ended = len(translation.weights) > len(translation.target)
    return int(translation.weights[-1].argmax()) if ended else length
