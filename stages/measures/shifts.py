"""The best shift of a span of words towards a reference (Snover et al. 2006), by the rules of tercom and sacrebleu."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sacrebleu.metrics.lib_ter import _flip_trace, _perform_shift, trace_to_alignment

from stages.measures.edit_distance import EditDistance

FARTHEST = 50
"""Words between the place of a span and that of its match in the reference."""
LONGEST = 10
"""Words of a span."""
MAX_TRIED = 1000
"""Shifts tried in a sentence before sacrebleu gives up."""


class Found(NamedTuple):
    """gain: edits that the best shift saves, without itself; words: after it; tried: how many shifts were."""

    gain: int
    words: list[str]
    tried: int


def best_shift(words: list[str], reference: list[str], distance: EditDistance, tried: int) -> Found:
    """What sacrebleu's `_shift` finds: of equal gains the longest span, then the first, then the first place.

    distance: of words and reference; tried: shifts of this sentence that were tried before.
    """
    # The edits that turn the reference into the words say which word stands for which.
    align, wrong_there, wrong_here = trace_to_alignment(_flip_trace(distance.trace()))
    best: tuple[int, int, int, int, list[str]] | None = None
    for here, there, length in _matches(words, reference):
        if not any(wrong_here[here : here + length]) or not any(wrong_there[there : there + length]):
            continue
        if here <= align[there] < here + length:
            continue
        before = -1
        for place in range(there - 1, there + length):
            if place != -1 and place not in align:
                break
            target = 0 if place == -1 else align[place] + 1
            if target == before:
                continue
            before = target
            shifted = _perform_shift(words, here, length, target)
            within = here <= target <= here + length
            last = min(target + length, len(words)) if within else max(here + length, target)
            gain = distance.cost - distance.of_reordered(shifted, min(here, target), last)
            candidate = (gain, length, -here, -target, shifted)
            tried += 1
            if best is None or candidate > best:
                best = candidate
        if tried >= MAX_TRIED:
            break
    return Found(0, words, tried) if best is None else Found(best[0], best[-1], tried)


def _matches(words: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Start in both and length of all spans that both have."""
    for here in range(len(words)):
        for there in range(max(0, here - FARTHEST), min(len(reference), here + FARTHEST + 1)):
            for length in range(1, min(LONGEST, len(words) - here, len(reference) - there) + 1):
                if words[here + length - 1] != reference[there + length - 1]:
                    break
                yield here, there, length
