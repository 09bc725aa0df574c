"""How much attention each source word got: a histogram a system, the baseline's outline drawn over each."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.measures.coverage import EDGES
from stages.reporting.figures.layout import Caption, note, row_panels, short_titles
from stages.reporting.study_results import StudyResults
from stages.reporting.style import GOLD, INK, PALETTE

WIDTH, SHARE_WIDTH = 2.9, 1.4
"""Inches of the histograms and of the panel of shares."""

FILL = "#7fb8dc"
HEIGHT = 0.9
UNTRANSLATED, TWICE = EDGES.index(0.3), EDGES.index(1.7)
"""Bins before the first hold words that got under 0.3 in all, those from the second on words that got 1.7 or more."""


def caption(study: StudyResults) -> Caption:
    line = ", the baseline's drawn as a line over each" if study.spec.compare.baseline in shares_of(study) else ""
    return Caption(
        "How much attention each source word got",
        f"A histogram a system over the source words of the first test set{line}: attention around 1 is better, for "
        "such a word was translated once. On the right, percent of the words that got under 0.3 (circle, perhaps left "
        "out) and 1.7 or more (cross, perhaps repeated), both better when low.",
    )


def shares_of(study: StudyResults) -> dict[str, np.ndarray]:
    """Of the systems that attend."""
    found = {name: system["mean"]["coverage_histogram"] for name, system in study.document["systems"].items()}
    return {name: np.array(list(shares.values())) for name, shares in found.items() if None not in shares.values()}


def coverage_histograms(study: StudyResults) -> Figure | None:
    """Of the first test set; None without a system that attends."""
    shares = shares_of(study)
    if not shares:
        return None
    baseline = study.spec.compare.baseline
    titles = short_titles(study.spec.titles)
    figure, (histograms, sums) = row_panels([titles[name] for name in shares], (WIDTH, SHARE_WIDTH))
    full = float(np.percentile([values.max() for values in shares.values()], 90))
    for row, values in enumerate(shares.values()):
        _histogram(histograms, row, values, shares.get(baseline), full)
    histograms.set_xlim(0, len(EDGES))
    histograms.set_xticks(range(len(EDGES)), [f"{edge:g}" for edge in EDGES])
    histograms.set_xlabel("attention in all (1: translated once)", fontsize=7)
    _sums(sums, list(shares.values()))
    compared = f" · line: {titles[baseline]}" if baseline in shares else ""
    words = f"source words of {study.text.tests[0]} by the attention they got in all"
    note(figure, f"Left: {words}; a row's height is {full:.0f} percent{compared}", (0.1, 0.14))
    note(figure, "Right: percent of them that got under 0.3 (circle) and 1.7 or more (cross)", (0.1, 0))
    return figure


def _histogram(axis: Axes, row: int, values: np.ndarray, baseline: np.ndarray | None, full: float) -> None:
    """Bins of equal width; `full` percent fill the row's height but for a gap. What is more is cut and written."""
    foot, edges = row + 0.5, np.arange(len(values) + 1)
    axis.stairs(foot - HEIGHT * np.minimum(values / full, 1), edges, baseline=foot, fill=True, color=FILL, zorder=1)
    if baseline is not None:
        outline = foot - HEIGHT * np.minimum(baseline / full, 1)
        axis.stairs(outline, edges, baseline=None, color=INK, linewidth=0.5, zorder=2)
    for place in np.flatnonzero(values > full):
        axis.text(place + 1.05, row - 0.15, f"{values[place]:.0f} %", fontsize=5.5, va="center", zorder=3)


def _sums(axis: Axes, shares: list[np.ndarray]) -> None:
    rows = range(len(shares))
    under = [values[:UNTRANSLATED].sum() for values in shares]
    over = [values[TWICE:].sum() for values in shares]
    axis.hlines(rows, under, over, color="#bbbbbb", linewidth=0.7, zorder=1)
    axis.plot(under, rows, "o", color=PALETTE[0], mfc="white", markersize=3.8, mew=0.9, zorder=2)
    axis.plot(over, rows, "x", color=GOLD, markersize=3.8, mew=1.1, zorder=2)
    axis.set_xlim(left=0)
    axis.set_xlabel("percent of words", fontsize=7)
