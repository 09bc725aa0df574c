"""A line of text -> the pieces that a system reads, by the steps that its training text went through."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from stages.corpora.chinese import straight
from stages.corpora.parallel import single_spaced
from stages.corpora.tokenise import tokeniser
from stages.files.corpus_record import FILE, STRAIGHT
from stages.files.records import read_record
from stages.files.text import iter_lines
from stages.segmenting.byte_pairs import Segmenter
from stages.text.languages import is_unspaced, lower_case
from stages.text.symbols import CONTINUES, SPECIAL, UNKNOWN
from stages.translator.chosen import Chosen

CHARACTERS = 20
"""So many a piece: a line that has more is longer than allowed, whatever its words are cut into."""

LETTERS = 1000
"""Characters of a word: what cuts it takes the square of them."""

WORD = 12
"""Characters: few words of a language that is written without blanks between them have more."""


class Sentence(NamedTuple):
    """pieces: what the system reads; none where nothing is to be translated. why: what keeps `line` from that.

    uncut: whether the line looks like text without blanks between words, where they should be. strange: whether most
    of its pieces are unknown to the system, as those of another language are.
    """

    line: str
    pieces: list[str]
    why: str = ""
    uncut: bool = False
    strange: bool = False


class Preparation:
    """The corpus stage's tokeniser, quotation marks and letter case and the bpe stage's merges, for one system.

    tokenised: whether lines are words with blanks between; as in the corpus unless given.
    longest: sentences of more pieces are not translated, nor those with a word of more than `LETTERS`.

    Raises:
        InputError: an output of these stages is damaged, or the language is written without blanks and lines are not
            to be words already.
    """

    def __init__(self, chosen: Chosen, tokenised: bool, longest: int) -> None:
        about = read_record(chosen.corpus / FILE, ("tokenised", "lowercase"))
        self.longest = longest
        self._case = lower_case(chosen.pair[0]) if about["lowercase"] else str
        self.tokenised = tokenised or bool(about["tokenised"])
        self._words = single_spaced if self.tokenised else tokeniser(chosen.pair[0])
        self._marks = straight if about.get(STRAIGHT) and not self.tokenised else str
        self._unspaced = is_unspaced(chosen.pair[0])
        self._cut = _segmenter(chosen)
        entries = iter_lines(chosen.data / f"dict.{chosen.pair[0]}.txt")
        self._known = frozenset(entry.split(" ", 1)[0] for entry in entries)

    def __call__(self, line: str) -> Sentence:
        if len(line) > self.longest * CHARACTERS:
            return Sentence(line, [], f"has {len(line):,} characters, more than {self.longest * CHARACTERS:,}")
        text = self._words(self._marks(line))
        words = [_readable(word) for word in self._case(text).split(" ") if word]
        longest = max(map(len, words), default=0)
        uncut = self._unspaced and longest > WORD
        if longest > LETTERS:
            return Sentence(line, [], f"has a word of {longest:,} characters, more than {LETTERS:,}", uncut)
        pieces = self._cut(" ".join(words)).split(" ") if words else []
        if len(pieces) > self.longest:
            return Sentence(line, [], f"has {len(pieces):,} pieces, more than {self.longest:,}")
        unknown = sum(piece not in self._known for piece in pieces)
        return Sentence(line, pieces, uncut=uncut, strange=not uncut and 2 * unknown > len(pieces))


def _segmenter(chosen: Chosen) -> Callable[[str], str]:
    for path in chosen.codes:
        if path.exists():
            codes = "".join(f"{line}\n" for line in iter_lines(path))
            counts = chosen.counts() if chosen.threshold else Counter()
            return Segmenter(codes, counts, chosen.threshold).segment
    return lambda line: line


def _readable(word: str) -> str:
    """`word`, but for what pieces and dictionaries mean something else by."""
    while word.endswith(CONTINUES):
        word = word[:-1]
    return UNKNOWN if word in SPECIAL else word
