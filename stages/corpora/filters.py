"""Which pairs of a corpus may become training text, and why the others may not."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

from stages.corpora.mismatched import Mismatched
from stages.corpora.parallel import Sentence, length
from stages.corpora.raw_corpus import Corpus
from stages.files.text import OPEN_BOX
from stages.text.languages import lower_case
from stages.text.pieces import has_marks

Case = Callable[[str], str]


@dataclass(frozen=True)
class Filters:
    """What is kept of the training text.

    distinct: no pair twice; lengths_of_gold: the pairs of `limit` are drawn so that their source sides are as long as
    those of the gold set; mismatched: what else is dropped; languages: of the two sides; lowercase: whether the text is
    written in lower case.
    """

    max_length: int
    limit: int | None
    distinct: bool = False
    lengths_of_gold: bool = False
    mismatched: Mismatched | None = None
    languages: tuple[str, str] = ("", "")
    lowercase: bool = False

    @property
    def cases(self) -> tuple[Case, ...]:
        """Makes the text of each side what is written of it."""
        return tuple(lower_case(language) if self.lowercase else str for language in self.languages)


def key(line: str, lower: Case = str.lower) -> str:
    """What two lines share that are the same sentence: NFKC, lower case, no white space nor what stands for it."""
    folded = lower(line if line.isascii() else unicodedata.normalize("NFKC", line.replace(OPEN_BOX, "")))
    return folded.replace(" ", "") if folded.isprintable() else "".join(folded.split())


def held_out_keys(corpus: Corpus, source_key: Case, target_key: Case) -> tuple[set[str], set[str]]:
    """Keys of every source side and every target side (all references) of dev, the test sets and gold."""
    source: set[str] = set()
    target: set[str] = set()
    for part in (corpus.dev, *corpus.tests.values()):
        for lines in ([pair.source for pair in part.sentences], *part.source_references):
            source.update(map(source_key, lines))
        for lines in ([pair.target for pair in part.sentences], *part.target_references):
            target.update(map(target_key, lines))
    if corpus.gold is not None:
        source.update(source_key(pair.source) for pair in corpus.gold.sentences)
        target.update(target_key(pair.target) for pair in corpus.gold.sentences)
    return source, target


class Sieve:
    """Lets the pairs of a corpus through one after the other, and remembers them where they must be distinct."""

    def __init__(self, corpus: Corpus, filters: Filters) -> None:
        self._filters = filters
        self._cases = filters.cases
        self._source_key, self._target_key = (
            partial(key, lower=lower_case(language)) for language in filters.languages
        )
        self._source_keys, self._target_keys = held_out_keys(corpus, self._source_key, self._target_key)
        self._passed: set[bytes] = set()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that may be found, in the order in which they are looked for."""
        mismatched = self._filters.mismatched
        return (
            *("empty", "too_long", "separator"),
            *(mismatched.reasons if mismatched else ()),
            "overlap",
            *(("repeated",) if self._filters.distinct else ()),
        )

    def passes(self, pair: Sentence, counts: Counter[str]) -> bool:
        """Whether `pair` may be trained on; if not, the reason is counted."""
        reason = self._reason(pair)
        if reason is not None:
            counts[reason] += 1
        return reason is None

    def _reason(self, pair: Sentence) -> str | None:
        if not (pair.source and pair.target):
            return "empty"
        if max(length(pair.source), length(pair.target)) > self._filters.max_length:
            return "too_long"
        if any(has_marks(case(line)) for case, line in zip(self._cases, pair[:2], strict=True)):
            return "separator"
        if self._filters.mismatched and (reason := self._filters.mismatched.reason(pair)):
            return reason
        source, target = self._source_key(pair.source), self._target_key(pair.target)
        if source in self._source_keys or target in self._target_keys:
            return "overlap"
        if self._filters.distinct:
            both = blake2b(f"{source}\n{target}".encode(), digest_size=12).digest()  # small: a text has millions
            if both in self._passed:
                return "repeated"
            self._passed.add(both)
        return None
