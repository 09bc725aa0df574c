"""The training text of a corpus: the pairs that pass the filters, or as many of them as are wanted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tqdm import tqdm

from stages.corpora.filters import Filters, Sieve
from stages.corpora.parallel import Sentence, length
from stages.corpora.raw_corpus import Corpus, Part
from stages.corpora.sampling import draw, draw_by_length, in_random_order, quotas
from stages.files.errors import InputError


class Selected(NamedTuple):
    """counts: how many pairs were read, dropped for which reason, and kept; parts: the same for each source of them.

    Pairs that were not looked at, because enough had passed, count as over the limit. A part knows its own limit only;
    what the limit of the whole leaves out is in counts.
    """

    kept: list[Sentence]
    counts: dict[str, int]
    parts: dict[str, dict[str, int]]


def select_train(corpus: Corpus, filters: Filters) -> Selected:
    """The training pairs that pass the filters.

    Raises:
        InputError: none is left, or they should be as long as the pairs of a gold set that is not there.
    """
    sieve = Sieve(corpus, filters)
    counted: dict[str, Counter[str]] = {part.name: Counter() for part in corpus.train}

    def passing() -> Iterator[Sentence]:
        for part in corpus.train:
            yield from _of_part(part, sieve, counted[part.name])

    kept = _limited(passing(), corpus, filters)
    parts = {name: _record(counts, counts["passed"], sieve.reasons) for name, counts in counted.items()}
    counts = Counter({"read": corpus.held_out})
    for of_part in counted.values():
        counts.update(of_part)
    record = _record(counts, len(kept), sieve.reasons, corpus.held_out)
    if not kept:
        reasons = ", ".join(f"{record[reason]} {reason.replace('_', ' ')}" for reason in sieve.reasons)
        raise InputError(
            f"no training pair is left of {record['read']} ({reasons}); raise max_length, change the other filters of "
            "the corpus or its files"
        )
    return Selected(kept, record, parts)


def _limited(passing: Iterable[Sentence], corpus: Corpus, filters: Filters) -> list[Sentence]:
    if filters.limit is None:
        return list(passing)
    if not filters.lengths_of_gold:
        return draw(passing, filters.limit, "limit")
    if corpus.gold is None:
        raise InputError("match_lengths_of is gold, but the corpus has no gold set; set it to null")
    lengths = [length(pair.source) for pair in corpus.gold.sentences]
    wanted = quotas((one for one in lengths if one <= filters.max_length), filters.limit)
    return draw_by_length(passing, wanted, "limit")


def _of_part(part: Part, sieve: Sieve, counts: Counter[str]) -> Iterator[Sentence]:
    """The pairs of one source that pass, in their order, as many as its limit allows."""

    def pairs() -> Iterator[Any]:
        counts["read"] = 0
        for pair in tqdm(part.pairs, desc=f"filtering {part.name}", unit=" pairs", disable=None):
            counts["read"] += 1
            yield pair

    if part.limit is None:
        for sentence in map(part.words, pairs()):
            if sieve.passes(sentence, counts):
                counts["passed"] += 1
                yield sentence
        return
    passed: list[tuple[int, Sentence]] = []
    for k, pair in in_random_order(pairs, part.limit, f"limit {part.name}"):
        sentence = part.words(pair)
        if sieve.passes(sentence, counts):
            passed.append((k, sentence))
            if len(passed) == part.limit:
                break
    counts["passed"] = len(passed)
    yield from (sentence for _, sentence in sorted(passed))


def _record(counts: Mapping[str, int], kept: int, reasons: Iterable[str], held_out: int = 0) -> dict[str, int]:
    dropped = {reason: counts.get(reason, 0) for reason in reasons}
    over = counts["read"] - held_out - sum(dropped.values()) - kept
    return {"read": counts["read"], "held_out": held_out, **dropped, "over_limit": over, "kept": kept}
