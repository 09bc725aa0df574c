"""Sentences chosen by rules, so that they flatter no system, and the attention of every system for them."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.links import Link
from stages.files.run_directory import RunDirectory
from stages.files.text import read_lines
from stages.measures.gold_links import Gold
from stages.reporting.heat_map import HeatMap
from stages.scoring.inputs import Text, read_decoded, read_gold
from stages.settings.report import ReportSettings
from stages.tagging.classes import Classes
from stages.text.symbols import END
from stages.translating.translations import Translation


def choices(
    lengths: Sequence[int],
    golds: Sequence[Gold] | None,
    settings: ReportSettings,
    classes: Classes | None,
) -> dict[str, int]:
    """What a sentence is shown for -> its index.

    lengths: source words of every sentence; golds: None without a gold set; classes: of the gold set's source words,
    None for a language without a tagger.

    reordering, fertility: of the sentences whose length is nearest to the wanted range, the one with the most crossing
    links and, of the others, the one with the most links beyond the first of a source word. swap: of all sentences that
    `swaps`, the shortest of those nearest to the range. longest: without gold links. named: in the settings; it goes
    before the rules. The first of equals.
    Raises InputError if there is no such sentence.
    """
    if settings.sentence is not None:
        if settings.sentence > len(lengths):
            raise InputError(
                f"params.yaml: report.sentence is {settings.sentence}, but the set has {len(lengths)} sentences"
            )
        return {"named": settings.sentence - 1}
    if not lengths:
        raise InputError("the set that the heat maps are drawn from has no sentence")
    if golds is None:
        ranks = {"longest": list(lengths)}
    else:
        ranks = {rule: [of(gold.sure) for gold in golds] for rule, of in RULES.items()}
    outside = [max(settings.shortest - length, length - settings.longest, 0) for length in lengths]
    chosen: dict[str, int] = {}
    for rule, rank in ranks.items():
        left = [k for k in range(len(lengths)) if k not in chosen.values()]
        if left:
            chosen[rule] = max(left, key=lambda k: (-outside[k], rank[k]))
    if golds is not None and classes is not None:
        found = [k for k, gold in enumerate(golds) if swaps(gold.sure, classes[k])]
        if found:
            chosen["swap"] = min(found, key=lambda k: (outside[k], lengths[k]))
    return chosen


def crossing(links: frozenset[Link]) -> list[tuple[int, int]]:
    """Pairs of source words whose links cross, among the links whose source word and target word have no other link.

    Words linked many to many are left out: a block of links crosses itself without any reordering.
    """
    sources, targets = [i for i, _ in links], [j for _, j in links]
    single = sorted((i, j) for i, j in links if sources.count(i) == targets.count(j) == 1)
    return [(i, k) for (i, j), (k, l) in combinations(single, 2) if j > l]


def crossings(links: frozenset[Link]) -> int:
    """How many pairs are `crossing`."""
    return len(crossing(links))


def swaps(links: frozenset[Link], classes: Sequence[str]) -> bool:
    """Whether the one pair that is `crossing` is an adjective and the noun directly behind it."""
    pairs = crossing(links)
    return len(pairs) == 1 and pairs[0][0] + 1 == pairs[0][1] and [classes[i] for i in pairs[0]] == ["JJ", "NN"]


def fertility(links: frozenset[Link]) -> int:
    """Links beyond the first of each source word."""
    return len(links) - len({i for i, _ in links})


RULES = {"reordering": crossings, "fertility": fertility}
"""What a sentence is chosen for -> its rank by the sure links."""


NO_LINKS = Gold(frozenset(), frozenset())


class Shown(NamedTuple):
    """Heat maps by variant, without the systems that have no attention, and where their sentence comes from."""

    maps: dict[str, HeatMap]
    caption: str


def read_chosen(
    run_directory: Path,
    text: Text,
    titles: Mapping[str, str],
    seed: int,
    settings: ReportSettings,
    classes: Classes | None,
) -> dict[str, Shown]:
    """What a sentence is shown for (see `choices`, of `classes` too) -> its heat maps of `titles` (variant -> title).

    The sentences are of the gold set under forced decoding or, without a gold set, of the first test set as each system
    translates it. Raises InputError naming file and line."""
    name = "gold" if text.gold else text.tests[0]
    file = f"{name}.forced.jsonl" if text.gold else f"{name}.jsonl"
    sources = _words(text.folder / f"{name}.{text.source}")
    golds = read_gold(text) if text.gold else None
    references = _words(text.folder / f"gold.{text.target}") if text.gold else None
    chosen = choices([len(words) for words in sources], golds, settings, classes)
    maps: dict[str, dict[str, HeatMap]] = {rule: {} for rule in chosen}
    for variant, title in titles.items():
        path = RunDirectory(run_directory).translations(variant, seed) / file
        translations = read_decoded(text, name, path, forced=text.gold)
        for rule, k in chosen.items():
            one = translations[k]
            if one.attention is not None:
                target = references[k] if references else one.target
                maps[rule][variant] = map_of(title, sources[k], target, one, golds[k] if golds else NO_LINKS)
    decoding = "forced decoding of the reference" if text.gold else "each system's own translation"
    return {
        rule: Shown(maps[rule], f"{name} set, sentence {k + 1} · {decoding} · seed {seed}")
        for rule, k in chosen.items()
    }


def map_of(
    title: str, source: Sequence[str], target: Sequence[str], translation: Translation, gold: Gold = NO_LINKS
) -> HeatMap:
    """`source` and `target` as the corpus writes them: pieces may say <unk>. A translation cut off has no last row."""
    ended = len(translation.weights) > len(target)
    return HeatMap(title, (*source, END), (*target, END) if ended else tuple(target), translation.weights, gold)


def _words(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in read_lines(path)]
