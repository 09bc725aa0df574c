"""A language model of Kneser and Ney (1995) with the three discounts of Chen and Goodman (1999), in Thot's files.

Thot interpolates (Jelinek and Mercer 1980): p(w | h) = λ c(h w) / c(h) + (1 - λ) p(w | h'), h' being h without its
first word, and looks λ up by c(h). Kneser and Ney's model has that form too: c(h w) is the discounted count, and λ the
share of h that the discounts leave. So each history is scaled to the count that stands for its λ, of `STEPS` of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from stages.files.text import write_lines

BEGIN, END = "<s>", "</s>"
STEPS = 2000
"""Values that λ can have: it is rounded by at most 1/4000."""

Ngrams = Counter[tuple[str, ...]]


def write_language_model(sentences: Iterable[Sequence[str]], order: int, prefix: Path) -> None:
    """Write the files `<prefix>` and `<prefix>.weights` of the model of `sentences`, words that Thot may see."""
    counts = ngram_counts(sentences, order)
    write_lines(prefix, (line for each in counts for line in _lines(each)))
    weights = " ".join(f"{(step + 0.5) / STEPS:.6f}" for step in range(STEPS))
    write_lines(prefix.with_name(f"{prefix.name}.weights"), [f"{order} {STEPS} 1 {' '.join([weights] * order)}"])


def ngram_counts(sentences: Iterable[Sequence[str]], order: int) -> list[Ngrams]:
    """By length, from 1 to `order`: how often the longest stand in the text, and before how many different words the
    shorter ones do; those that begin a sentence, before which nothing can stand, count as they are."""
    found: list[Ngrams] = [Counter() for _ in range(order)]
    for sentence in sentences:
        words = (BEGIN, *sentence, END)
        for length, counts in enumerate(found, 1):
            counts.update(words[k : k + length] for k in range(len(words) - length + 1))
    for shorter, longer in pairwise(found):
        continued = Counter(ngram[1:] for ngram in longer)
        for ngram in shorter:
            if ngram[0] != BEGIN:
                shorter[ngram] = continued[ngram]
    del found[0][BEGIN,]  # nothing predicts it
    return found


def discounts(counts: Ngrams) -> tuple[float, float, float]:
    """Of an n-gram that was counted once, twice, three times or more (Chen & Goodman 1999, Eq. 17).

    A text so small that it lacks one of these counts takes 1 for it; no discount is below 0.
    """
    ones, twos, threes, fours = (max(1, sum(count == times for count in counts.values())) for times in range(1, 5))
    share = ones / (ones + 2 * twos)
    first, second, third = 1 - 2 * share * twos / ones, 2 - 3 * share * threes / twos, 3 - 4 * share * fours / threes
    return max(0.0, first), max(0.0, second), max(0.0, third)


def _lines(counts: Ngrams) -> Iterator[str]:
    """`words c(h) c(h w)`, sorted."""
    discount = discounts(counts)
    totals: defaultdict[tuple[str, ...], float] = defaultdict(float)
    left: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
        left[ngram[:-1]] += _discounted(count, discount)
    for ngram, count in sorted(counts.items()):
        history = ngram[:-1]
        size = min(STEPS - 1, int(left[history] / totals[history] * STEPS)) + 0.5
        share = _discounted(count, discount) / left[history] if left[history] else 0.0
        yield f"{' '.join(ngram)} {size} {share * size:.9g}"


def _discounted(count: int, discount: tuple[float, float, float]) -> float:
    return count - discount[min(count, 3) - 1]
