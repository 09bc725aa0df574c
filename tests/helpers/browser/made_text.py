"""The text of a made-up study: drawn sentences, one that would harm a careless page, and a long one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.files.records import write_json
from stages.files.text import write_lines

VOCABULARY = 150


HOSTILE_WORDS = (
    "<script>alert(1)</script>",
    "</script>",
    "<!--<script>",
    "<img/src=x/onerror=alert(2)>",
    "\"'`",
    "&amp;",
    "&",
    "\\u003cb\\u003e",
    "__proto__",
    "${1+1}",
    "%3Cb%3E",
    "שלום",
    "مرحبا",
    "\u202eabc",
)


HOSTILE_REFERENCE = (
    "\"quoted\" & 'it' &lt;b&gt; <img src=x onerror=alert(3)> </script><script>alert(4)</script> שלום abc"
)


LONG = 50
"""Words of the longest sentence."""


class Pair(NamedTuple):
    """order: the source word of each target word; references: of the sentence in a test set."""

    source: list[str]
    target: list[str]
    order: list[int]
    references: list[str]

    @property
    def gold(self) -> str:
        """A sure link a target word and, of every third one, a possible link to the source word before."""
        possible = [f"{s - 1}?{t}" for t, s in enumerate(self.order) if t % 3 == 0 and s > 0]
        return " ".join([*(f"{s}-{t}" for t, s in enumerate(self.order)), *possible])


def pair(source: Sequence[str]) -> Pair:
    """A sentence of `source` words; every third pair of neighbours changes places in the target."""
    order = list(range(len(source)))
    for k in range(0, len(order) - 1, 3):
        order[k], order[k + 1] = order[k + 1], order[k]
    target = [source[s].replace("词", "word") for s in order]
    return Pair(list(source), target, order, [" ".join(target), " ".join(target[:-1]).upper() or "NOTHING"])


def pairs(count: int, random: np.random.Generator) -> list[Pair]:
    """`count` sentences: the first is hostile, the second long, the rest are of 3 to 24 words."""
    hostile = pair(HOSTILE_WORDS)._replace(references=[HOSTILE_REFERENCE, "שלום world"])
    lengths = [LONG, *random.integers(3, 25, count - 2)]
    drawn = [[f"词{k}" for k in random.integers(VOCABULARY, size=length)] for length in lengths]
    return [hostile, *map(pair, drawn)]


def write_corpus(folder: Path, sets: Mapping[str, Sequence[Pair]], tests: Sequence[str]) -> None:
    folder.mkdir(parents=True)
    stats = {"corpus": "demo", "source": "zh", "target": "en", "tests": list(tests), "gold": True}
    stats |= {"tokenised": True, "lowercase": False, "train_pairs": {"read": 62, "overlap": 12, "kept": 50}}
    stats["sets"] = {name: _counted(text) for name, text in sets.items()}
    write_json(folder / "stats.json", stats)
    for name, text in sets.items():
        write_lines(folder / f"{name}.zh", (" ".join(one.source) for one in text))
        write_lines(folder / f"{name}.en", (" ".join(one.target) for one in text))
        if name in tests:
            for k in range(2):
                write_lines(folder / f"{name}.ref{k}.en", (one.references[k] for one in text))
    write_lines(folder / "gold.align", (one.gold for one in sets["gold"]))


def write_pieces(run_directory: Path, sets: Mapping[str, Sequence[Pair]]) -> None:
    """What the stages bpe and binarize make of the text."""
    for language, side in (("zh", "source"), ("en", "target")):
        cut = {name: [_cut(getattr(one, side)) for one in text] for name, text in sets.items()}
        for name, lines in cut.items():
            write_lines(run_directory / f"bpe/{name}.{language}", map(" ".join, lines))
        known = Counter(piece for line in cut["train"] for piece in line)
        frequencies = (f"{piece} {count}" for piece, count in known.most_common())
        write_lines(run_directory / f"bin/dict.{language}.txt", frequencies)


def _cut(words: Sequence[str]) -> list[str]:
    return [piece for word in words for piece in pieces_of(word)]


def _counted(text: Sequence[Pair]) -> dict[str, Any]:
    """What the corpus stage says of a set."""
    lengths = {
        "zh": [len(one.source) for one in text],
        "en": [len(one.target) for one in text],
    }
    return {
        "pairs": len(text),
        "tokens": {language: sum(of) for language, of in lengths.items()},
        "mean_length": {language: sum(of) / len(of) for language, of in lengths.items()},
        "max_length": {language: max(of) for language, of in lengths.items()},
    }


def pieces_of(word: str) -> list[str]:
    """Some words are of two pieces."""
    return [f"{word[:-1]}@@", word[-1]] if word.endswith("7") else [word]
