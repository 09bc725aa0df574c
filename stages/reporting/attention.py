"""The attention of every system for one sentence, with the gold links where there are any."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stages.measures.gold import Gold
from stages.reporting.heat_map import HeatMap
from stages.reporting.sentence import choose
from stages.score_inputs import Text, read_decoded, read_gold
from stages.settings.report import ReportSettings
from stages.textio import read_lines
from stages.translations import EOS, Translation

NO_LINKS = Gold(frozenset(), frozenset())


class Shown(NamedTuple):
    """Heat maps by variant, without the systems that have no attention, and where their sentence comes from."""

    maps: dict[str, HeatMap]
    caption: str


def read_maps(axis: Path, text: Text, titles: Mapping[str, str], seed: int, settings: ReportSettings) -> Shown:
    """Heat maps of `titles` (variant -> title), all of the same sentence: of the gold set under forced decoding or,
    without a gold set, of the first test set as each system translates it. Raises InputError naming file and line."""
    name = "gold" if text.gold else text.tests[0]
    file = f"{name}.forced.jsonl" if text.gold else f"{name}.jsonl"
    sources = _words(text.folder / f"{name}.{text.source}")
    golds = read_gold(text) if text.gold else None
    k = choose([len(words) for words in sources], golds, settings)
    reference = _words(text.folder / f"gold.{text.target}")[k] if text.gold else None
    maps = {}
    for variant, title in titles.items():
        translation = read_decoded(text, name, axis / "translations" / f"{variant}-{seed}" / file, forced=text.gold)[k]
        if translation.attention is not None:
            target = translation.target if reference is None else reference
            maps[variant] = _map(title, sources[k], target, translation, golds[k] if golds else NO_LINKS)
    decoding = "forced decoding of the reference" if text.gold else "each system's own translation"
    return Shown(maps, f"{name} set, sentence {k + 1} · {decoding} · seed {seed}")


def _map(title: str, source: list[str], target: list[str], translation: Translation, gold: Gold) -> HeatMap:
    """`source` and `target` as the corpus writes them: pieces may say <unk>. A translation cut off has no last row."""
    ended = len(translation.attention) > len(target)
    return HeatMap(title, (*source, EOS), (*target, EOS) if ended else tuple(target), translation.attention, gold)


def _words(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in read_lines(path)]
