"""Canadian Hansards, English-French, of the WPT 2003 shared task (Germann 2001; Mihalcea and Pedersen 2003).

1,130,104 training pairs and 447 test pairs hand-aligned with sure and possible links by Och and Ney; one tokenisation
throughout. Two archives: training (`*.e`, `*.f`, paired and ordered by `FilePairs.training`) and test (text wrapped in
`<s snum=...>`, a `.wa` file of 1-based links "sentence English French S|P"); Latin-1 in the originals.

What was tried: the conversion below, on the same files as GitHub `loganbrenningmeyer/multi-binaryalign` has them
(UTF-8 there, put back to Latin-1), gives the SHA-256 below for every text. What was not: the addresses and the folders
inside the archives, as no publisher could be reached from where this was written; so members are found by their file
name, whatever their folder.
"""

import heapq
import random
import re
import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from stages.corpora.download import Archive, Publication, Sources, provide
from stages.corpora.filters import key
from stages.corpora.gold_set import GoldSet, check_inside
from stages.corpora.local import TextPairs, Words, read_gold_set
from stages.corpora.parallel import Sentence, length, own_references
from stages.corpora.published import read_members
from stages.corpora.raw_corpus import Corpus, whole
from stages.files.errors import InputError
from stages.files.links import MarkedLink
from stages.settings.corpora import HansardsSettings, LocalGold

DATA = "http://web.eecs.umich.edu/~mihalcea/wpt/data"
SHA256 = {  # train.en and train.fr: of what is in the .xz files
    "train.en.xz": "2f2931fab53153637258306ecd2350e58cc0f69e7e0b1da4071f1040fb9fac5d",
    "train.fr.xz": "7a1c688557841f2f8859784b7f9bbdf02bddfee601a9f2380199647437c85279",
    "train.en": "4e20755f9e68ca0cd6f5860b1d0f0efca3d86971fa697cb86505cbceb88f6478",
    "train.fr": "ab8693b6ad5d31aea2dc5961dab1bbb09eae178458009c6c88505e2b575eec4a",
    "gold.en": "91398b9a8c4e5efd5255af3786fb027db8c2d920cd74c4d62808ded7a23955f8",
    "gold.fr": "364ee58f6c8735ab88a0ca40f93b220ad055d5f15c19c9784b1a1d709c55beeb",
    "gold.align": "40d66c3b581ab8c73973065a4f2e46b5b7e649631041365659a1d564a0a98883",
}
USED = ("train.en", "train.fr", "gold.en", "gold.fr", "gold.align")
CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], " ")
UNPACKED = 1_000_000_000  # bytes of an archive: the largest has a quarter of it
LINKS = "test.wa.nonullalign"
WRAPPED = re.compile(r"<s snum=([0-9]+)>(.*)</s>")
CANDIDATES = 8  # drawn for each held-out pair that is wanted: many sentences occur more than once
LONG_TEST, GOLD_TEST = "long", "gold447"


def member(members: dict[str, bytes], name: str, archive: Path) -> list[str]:
    """The lines of one file of `members`: Latin-1, control characters made blanks, outer white space removed."""
    if name not in members:
        raise InputError(f"{archive}: has no file {name}")
    text = members[name].decode("latin-1").removesuffix("\n")
    return [line.translate(CONTROLS).strip() for line in text.split("\n")]


def extract_training(archive: Path) -> dict[str, Iterable[str]]:
    """`train.en` and `train.fr`: the file pairs one after the other, in the order of FilePairs.training."""
    members = read_members(archive, UNPACKED)
    pairs = [line.split() for line in member(members, "FilePairs.training", archive)]
    for names in pairs:
        counts = [len(member(members, name, archive)) for name in names]
        if len(set(counts)) != 1 or len(names) != 2:
            raise InputError(f"{archive}: files {' and '.join(names)} are not a pair of equal length: {counts} lines")

    def lines(side: int) -> Iterator[str]:
        for names in pairs:
            yield from member(members, names[side], archive)

    return {"train.en": lines(0), "train.fr": lines(1)}


def extract_gold(archive: Path) -> dict[str, list[str]]:
    """`gold.en`, `gold.fr` and `gold.align`."""
    members = read_members(archive, UNPACKED)
    numbers, english = unwrap(member(members, "test.e", archive), f"{archive}: test.e")
    french_numbers, french = unwrap(member(members, "test.f", archive), f"{archive}: test.f")
    if numbers != french_numbers:
        raise InputError(f"{archive}: the sentence numbers of test.e and test.f differ")
    sentences = tuple(Sentence(*pair) for pair in zip(english, french, strict=True))
    links = convert_links(member(members, LINKS, archive), numbers, sentences, f"{archive}: {LINKS}")
    return {"gold.en": english, "gold.fr": french, "gold.align": GoldSet(sentences, links).alignment_lines()}


def unwrap(lines: list[str], where: str) -> tuple[list[int], list[str]]:
    """Sentence numbers and texts of lines `<s snum=0001> text </s>`."""
    numbers, texts = [], []
    for k, line in enumerate(lines, 1):
        match = WRAPPED.fullmatch(line)
        if match is None:
            raise InputError(f"{where}, line {k}: not of the form <s snum=…> … </s>")
        numbers.append(int(match[1]))
        texts.append(match[2].strip())
    return numbers, texts


def convert_links(
    lines: list[str], numbers: list[int], sentences: tuple[Sentence, ...], where: str
) -> tuple[frozenset[MarkedLink], ...]:
    """Links of each sentence from lines `sentence English French S|P [confidence]`, positions from 1."""
    pairs = dict(zip(numbers, sentences, strict=True))
    found: dict[int, set[MarkedLink]] = defaultdict(set)
    for k, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) not in (4, 5) or not all(map(str.isdecimal, fields[:3])) or fields[3] not in ("S", "P"):
            raise InputError(f"{where}, line {k}: not of the form 'sentence English French S|P': {line!r}")
        number, link = int(fields[0]), MarkedLink(int(fields[1]) - 1, int(fields[2]) - 1, fields[3] == "S")
        if number not in pairs:
            raise InputError(f"{where}, line {k}: there is no sentence {number}")
        check_inside(link, f"{where}, line {k}", pairs[number])
        found[number].add(link)
    return tuple(frozenset(found[number]) for number in numbers)


PUBLICATION = Publication(
    "wpt03-hansards-en-fr",
    SHA256,
    (
        Archive(f"{DATA}/English-French.training.tar.gz", 250_000_000, ("train.en", "train.fr"), extract_training),
        Archive(
            f"{DATA}/English-French.test.tar.gz",
            2_000_000,
            ("gold.en", "gold.fr", "gold.align"),
            extract_gold,
        ),
    ),
)


@dataclass(frozen=True)
class Remaining:
    """`pairs` without those at the positions `held_out`."""

    pairs: Iterable[Sentence]
    held_out: frozenset[int]

    def __iter__(self) -> Iterator[Sentence]:
        return (pair for k, pair in enumerate(self.pairs) if k not in self.held_out)


class Repeats:
    """Which sentences were added more than once. By CRC-32 of their key, to be small: a clash costs one candidate."""

    def __init__(self) -> None:
        self._once: set[int] = set()
        self._again: set[int] = set()

    def add(self, line: str) -> None:
        """Count one occurrence of `line`."""
        code = zlib.crc32(key(line).encode())
        (self._again if code in self._once else self._once).add(code)

    def __contains__(self, line: str) -> bool:
        return zlib.crc32(key(line).encode()) in self._again


def hold_out(
    pairs: Iterable[Sentence], taken: Iterable[Sentence], count: int, lengths: range, target_ratio: float,
    purpose: str = "held out", without: Container[int] = frozenset(),
) -> dict[int, Sentence]:  # fmt: skip
    """`count` pairs by position, in the order drawn, the same on every run with this `purpose`.

    lengths: words of the source; the target has at most `target_ratio` times the longest of them. A ratio of 1 chooses
    long sentences by how short their translation is. without: positions not drawn.
    Only pairs whose two sides occur nowhere else in `pairs` nor in `taken` are drawn (a quarter of the Hansards are
    duplicates), so that holding them out costs no other training pair and nothing of them is trained on.

    Raises:
        InputError: there are fewer such pairs.
    """
    sources, targets = Repeats(), Repeats()
    numbers, most = random.Random(purpose), target_ratio * lengths[-1]

    def of_these_lengths() -> Iterator[tuple[float, int, Sentence]]:
        for k, pair in enumerate(tqdm(pairs, desc="drawing dev and test", unit=" pairs", disable=None)):
            sources.add(pair.source)
            targets.add(pair.target)
            number = numbers.random()
            if k not in without and length(pair.source) in lengths and length(pair.target) <= most:
                yield number, k, pair

    for pair in taken:
        sources.add(pair.source)
        targets.add(pair.target)
    candidates = heapq.nsmallest(CANDIDATES * count, of_these_lengths())
    unique = [(k, pair) for _, k, pair in candidates if pair.source not in sources and pair.target not in targets]
    if len(unique) < count:
        raise InputError(
            f"only {len(unique)} of the {count} pairs wanted of {lengths[0]} to {lengths[-1]} words could be held out; "
            "lower their number (dev, test, long_test) or allow more lengths (max_length, long_test, target_ratio)"
        )
    return dict(unique[:count])


def load(settings: HansardsSettings, sources: Sources, publication: Publication = PUBLICATION) -> Corpus:
    """The Hansards as a corpus; errors as `provide` and `hold_out`.

    Tests: `test`, held out from the training text as dev is; `long`, likewise, if it is wanted; and `gold447`, the
    sentences of the gold set.
    """
    files = provide(publication, USED, sources)
    pairs = TextPairs(files["train.en"], files["train.fr"], Words("en", "fr", tokenised=True))
    gold = read_gold_set(LocalGold(source=files["gold.en"], target=files["gold.fr"], align=files["gold.align"]))
    lengths, ratio = range(settings.max_length + 1), settings.target_ratio
    held_out = hold_out(pairs, gold.sentences, settings.dev + settings.test, lengths, ratio)
    drawn = list(held_out.values())
    tests = {"test": drawn[settings.dev :]}
    for part in settings.long_test or ():
        shortest, longest = part.words
        lengths = range(shortest, longest + 1)
        found = hold_out(pairs, gold.sentences, part.pairs, lengths, ratio, "held out, long", held_out.keys())
        tests.setdefault(LONG_TEST, []).extend(found.values())
        held_out |= found
    tests[GOLD_TEST] = list(gold.sentences)
    return Corpus(
        train=whole(Remaining(pairs, frozenset(held_out))),
        dev=own_references(drawn[: settings.dev]),
        tests={name: own_references(found) for name, found in tests.items()},
        gold=gold,
        tokenised=True,
        held_out=len(held_out),
    )
