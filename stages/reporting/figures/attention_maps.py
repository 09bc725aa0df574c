"""Attention heat maps of a sentence: of the best system of each family for print, and of all systems."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd
from matplotlib.figure import Figure

from stages.reporting.chosen_sentences import Shown
from stages.reporting.figures.families import Families, present
from stages.reporting.figures.layout import Caption, short_titles
from stages.reporting.heat_map import HeatMap, Size, heat_maps

PAGE, WORDS = 7.2, 0.7
"""Inches: width of a page, and of the target words beside the panels."""

COLUMNS, GAP = 4, 0.12

POSTER = Size(cell=0.14, gap=0.2, words=6.5, titles=7.5, key=7.5)
POSTER_COLUMNS = 8
POSTER_DPI = 120


CHOSEN = {
    "reordering": "a sentence with much reordering",
    "fertility": "a sentence with words of many links",
    "swap": "an adjective and a noun that change places",
    "longest": "a long sentence",
    "named": "the sentence that params.yaml names",
}
"""What `choices` shows a sentence for, in words."""

READING = (
    "Source words across, target words down: the darker a cell, the more the target word looks at that source word."
)
LINKS = " Squares are gold links (solid: sure, dashed: possible only); a row is right if its darkest cell has a square."
MIRRORS = "the sample alignments on the Bahdanau slides"


def caption(rule: str, of_baseline: bool, gold: bool, every: bool) -> Caption:
    """rule: one of `CHOSEN`; of_baseline: whether the baseline attends; gold: whether the corpus has a gold set, which
    the sentences are then of; every: of `all_systems`, not of `best_of_families`."""
    best = "the lowest alignment error rate" if gold else "the highest BLEU"
    families = "baseline and the system of each other" if of_baseline else "system of each"
    about = f"The {families} family that has {best}."
    about = f"{'Every system that attends.' if every else about} {READING}{LINKS if gold else ''}"
    return Caption(f"Attention on {CHOSEN[rule]}{', all systems' if every else ''}", about, MIRRORS)


def best_of_families(shown: Shown, frame: pd.DataFrame, families: Families, baseline: str) -> Figure | None:
    """The baseline, and of each other family the system of the lowest AER (without it, of the highest BLEU)."""
    names = selected(shown.maps, frame, families, baseline)
    if not names:
        return None
    cell = ((PAGE - WORDS) / COLUMNS - GAP) / len(shown.maps[names[0]].source)
    cell = min(max(cell, 0.08), 0.16)
    size = Size(cell, GAP, words=min(7.5, 0.8 * 72 * cell), titles=6.5, key=6.5)
    return heat_maps(_maps(shown, names), shown.caption, COLUMNS, size)


def all_systems(shown: Shown) -> Figure | None:
    return heat_maps(_maps(shown, shown.maps), shown.caption, POSTER_COLUMNS, POSTER) if shown.maps else None


def _maps(shown: Shown, names: Iterable[str]) -> list[HeatMap]:
    """Of `names`, with short titles."""
    titles = short_titles({name: each.title for name, each in shown.maps.items()})
    return [replace(shown.maps[name], title=titles[name]) for name in names]


def selected(variants: Iterable[str], frame: pd.DataFrame, families: Families, baseline: str) -> list[str]:
    """Of `variants`: the baseline, which stands for its family, and the best of each other. frame: `results_frame`."""
    found = frame.loc[list(variants)]
    error = found["aer"].fillna(-found["bleu"])
    others = [name for name in found.index if name != baseline]
    best = [
        min((name for name in others if families[name] is family), key=lambda name: error[name])
        for family in present(families[name] for name in others)
        if baseline not in found.index or family is not families[baseline]
    ]
    return [*([baseline] if baseline in found.index else []), *best]
