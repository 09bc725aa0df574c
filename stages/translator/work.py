"""Lines in, answers out, in the same order and in bounded memory."""

import sys
from collections.abc import Callable, Iterator
from itertools import islice

from stages.translator.answer import Answer, Translator
from stages.translator.sentence import Preparation
from stages.translator.source import Source


def answers(
    source: Source, prepare: Preparation, translator: Translator, window: int, warn: Callable[[str], None]
) -> Iterator[tuple[int, Answer]]:
    """The number of every line, counted from 1, with its answer.

    Lines are taken `window` at a time, sorted into batches of similar length as the evaluate stage does with a set: so
    the sums of a set of at most that many lines are rounded alike, and its translations are those that were scored.
    `warn` hears of every line that is passed through for its length, and of the first one without blanks, and in
    what looks like another language.
    """
    first, uncut, strange = 1, False, False
    while sentences := [prepare(line) for line in islice(source.lines, window)]:
        for number, one in enumerate(sentences, first):
            if one.why:
                warn(f"line {number:,} {one.why}: it is passed through as it is; cut it into sentences")
            if one.uncut and not uncut:
                uncut = True
                warn(f"line {number:,} has no blanks between words, as this system needs them; segment text first")
            if one.strange and not strange:
                strange = True
                warn(f"line {number:,} is mostly unknown to this system: see that it is in the language it reads")
        title = _title(first, first + len(sentences) - 1, source.count) if sys.stderr.isatty() else None
        yield from enumerate(translator(sentences, None if source.typed else title), first)
        first += len(sentences)


def _title(first: int, last: int, count: int | None) -> str:
    return f"lines {first:,} to {last:,}" + (f" of {count:,}" if count is not None else "")
