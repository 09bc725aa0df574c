"""What the way of the text costs: references, tokenised and put back into running text, against themselves.

No translation can do better than these words: a perfect system has this BLEU.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stages.corpora.parallel import ParallelSet
from stages.measures import bleu
from stages.text.detokenise import comparable, detokenise
from stages.text.languages import is_unspaced, rules_of

ENOUGH = 99.0
"""BLEU; below it a sentence says what is lost."""
SHOWN = 8
"""Characters that it names, from the one that is lost most often on."""


class RoundTrip(NamedTuple):
    """bleu: of a perfect system, without regard to case; lost: marks that come back otherwise, most frequent first."""

    bleu: float
    lost: list[str]


def round_trip(words: Sequence[str], references: Sequence[str], language: str) -> RoundTrip:
    """Of lines of words (in their own case) and the running text that they were made of."""
    alike = comparable(language)
    texts = [alike(text) for text in detokenise([line.split(" ") for line in words], language)]
    originals = [alike(line) for line in references]
    chinese = rules_of(language) == "zh"
    scorer = bleu.scorer("zh" if chinese else "char" if is_unspaced(language) else "13a", lowercase=True)
    rows = [bleu.statistics(text, [line], scorer) for text, line in zip(texts, originals, strict=True)]
    lost: Counter[str] = Counter()
    for text, line in zip(texts, originals, strict=True):
        if text != line:
            found, wanted = _marks(text), _marks(line)
            for (mark, *_), count in ((found - wanted) + (wanted - found)).items():
                lost[mark] += count
    return RoundTrip(
        round(float(bleu.of_totals(np.sum(rows, axis=0)).score), 2), [mark for mark, _ in lost.most_common(SHOWN)]
    )


def _marks(text: str) -> Counter[tuple[str, bool, bool]]:
    """Every mark with whether a blank stands before and after it."""
    padded = f" {text} "
    return Counter(
        (char, padded[k - 1] == " ", padded[k + 1] == " ")
        for k, char in enumerate(padded[1:-1], 1)
        if not char.isalnum() and not char.isspace()
    )


def round_trips(sets: Mapping[str, ParallelSet], languages: tuple[str, str]) -> dict[str, dict[str, Any]]:
    """Set -> language -> `RoundTrip`, for the corpus's record."""
    found: dict[str, dict[str, Any]] = {}
    for name, held in sets.items():
        sides = (held.source_references[0], held.target_references[0])
        words = ([pair.source for pair in held.sentences], [pair.target for pair in held.sentences])
        found[name] = {
            language: round_trip(split, lines, language)._asdict()
            for language, split, lines in zip(languages, words, sides, strict=True)
        }
    return found


def warnings(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """A sentence for every language that loses much, by its worst set."""
    said = []
    for language in next(iter(found.values()), {}):
        name = min(found, key=lambda name: found[name][language]["bleu"])
        worst = found[name][language]
        if worst["bleu"] < ENOUGH:
            said.append(
                f"{language}: the best that can be reached in {name} is {worst['bleu']:.1f} BLEU, for words do not "
                f"give back all text; lost or with other blanks: {' '.join(worst['lost']) or 'blanks'}"
            )
    return said
