"""The attention of every system for the same sentences, with the gold links where there are any."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stages.files.run_directory import RunDirectory
from stages.files.text import read_lines
from stages.measures.gold_links import Gold
from stages.reporting.heat_map import HeatMap
from stages.reporting.sentence_choice import choices
from stages.scoring.inputs import Text, read_decoded, read_gold
from stages.settings.report import ReportSettings
from stages.text.symbols import END
from stages.translating.translations import Translation

NO_LINKS = Gold(frozenset(), frozenset())


class Shown(NamedTuple):
    """Heat maps by variant, without the systems that have no attention, and where their sentence comes from."""

    maps: dict[str, HeatMap]
    caption: str


def read_chosen(
    run_directory: Path, text: Text, titles: Mapping[str, str], seed: int, settings: ReportSettings
) -> dict[str, Shown]:
    """What a sentence is shown for (see `choices`) -> its heat maps of `titles` (variant -> title).

    The sentences are of the gold set under forced decoding or, without a gold set, of the first test set as each system
    translates it. Raises InputError naming file and line."""
    name = "gold" if text.gold else text.tests[0]
    file = f"{name}.forced.jsonl" if text.gold else f"{name}.jsonl"
    sources = _words(text.folder / f"{name}.{text.source}")
    golds = read_gold(text) if text.gold else None
    references = _words(text.folder / f"gold.{text.target}") if text.gold else None
    chosen = choices([len(words) for words in sources], golds, settings)
    maps: dict[str, dict[str, HeatMap]] = {rule: {} for rule in chosen}
    for variant, title in titles.items():
        path = RunDirectory(run_directory).translations(variant, seed) / file
        translations = read_decoded(text, name, path, forced=text.gold)
        for rule, k in chosen.items():
            one = translations[k]
            if one.attention is not None:
                target = references[k] if references else one.target
                maps[rule][variant] = _map(title, sources[k], target, one, golds[k] if golds else NO_LINKS)
    decoding = "forced decoding of the reference" if text.gold else "each system's own translation"
    return {
        rule: Shown(maps[rule], f"{name} set, sentence {k + 1} · {decoding} · seed {seed}")
        for rule, k in chosen.items()
    }


def _map(title: str, source: list[str], target: list[str], translation: Translation, gold: Gold) -> HeatMap:
    """`source` and `target` as the corpus writes them: pieces may say <unk>. A translation cut off has no last row."""
    ended = len(translation.weights) > len(target)
    return HeatMap(title, (*source, END), (*target, END) if ended else tuple(target), translation.weights, gold)


def _words(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in read_lines(path)]
