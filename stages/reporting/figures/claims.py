"""Forest plot of claims: the paper's difference and the study's, with its interval."""

from itertools import groupby
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from stages.reporting.claims import words
from stages.reporting.claims.claims import OWN
from stages.reporting.claims.judged import Judged
from stages.reporting.figures.layout import Caption, diamond, interval, lower_legend, row_panels
from stages.reporting.study_results import StudyResults
from stages.reporting.style import GREY, INK, MUTED, PALETTE
from stages.reporting.tables.claims import spoken_of

WIDTH = 3.0
"""Inches of the panel."""
MOST = 60
"""Claims in one figure: with more it is taller than a page of print, and than a screen by far."""
LINEAR = 1.0
"""Up to this difference the scale is linear, beyond it logarithmic: it holds tenths of BLEU and hundreds of phrases."""
COLOURS = {
    "agrees": INK,
    "agrees, smaller than printed": INK,
    "no difference above m": PALETTE[0],
    "undecided, printed gain excluded": GREY,
    "undecided": GREY,
    "disagrees": PALETTE[1],
}


class Line(NamedTuple):
    """A claim, everything turned so that what is claimed is positive; excluded: a gain as large as printed is."""

    title: str
    verdict: str
    paper: float | None
    difference: float
    low: float
    high: float
    excluded: bool


def caption(study: StudyResults, file: str | None = None) -> Caption:
    """file: of a paper, or of our own claims, of which alone the figure is."""
    shown = ", below its paper: the difference that the paper prints (hollow diamond) and that of this study (dot)"
    if file == OWN:
        shown = ": the difference of this study (dot)"
    return Caption(
        _title(study, file),
        f"A line a claim{shown} with the 95 % interval over seeds and test sentences together. All are turned so that "
        "the right side is the better one for the claim. Dots in black agree, in orange disagree, in grey are "
        "undecided; blue ones exclude any difference that matters, hollow ones a gain as large as printed. The scale, "
        f"in the measure's own points, is linear up to {LINEAR:g} and logarithmic beyond.",
    )


def _title(study: StudyResults, file: str | None) -> str:
    papers = {one.claim.file: one.claim.paper for one in study.judged}
    if file == OWN:
        return "Claims of our own"
    if file:
        return f"Claims of {papers.get(file, file)}"
    return "The papers' claims, and our own" if OWN in papers else "The papers' claims"


def forest(study: StudyResults, file: str | None = None) -> Figure | None:
    """None if no claim has a verdict. Of a study with more than `MOST` there is one of each paper, by its `file`, and
    none of all together; else it is the other way round."""
    judged = spoken_of(study.judged)
    if (len(judged) > MOST) != (file is not None):
        return None
    rows: list[str | Line] = []
    for paper, found in groupby(judged, key=lambda one: one.claim.paper):
        shown = [one for one in found if file in (None, one.claim.file)]
        rows += [paper, *map(_line, shown)] if shown else []
    lines = [(row, line) for row, line in enumerate(rows) if isinstance(line, Line)]
    if not lines:
        return None
    titles = [line.title if isinstance(line, Line) else line for line in rows]
    headings = {row for row, line in enumerate(rows) if isinstance(line, str)}
    figure, (axis,) = row_panels(titles, [WIDTH], headings)
    _scale(axis, max(abs(value) for _, line in lines for value in (line.paper or 0, line.low, line.high)))
    for row, line in lines:
        colour = COLOURS[line.verdict]
        interval(axis, [line.low, line.high], row, colour)
        inside = "white" if line.excluded else colour
        axis.plot(line.difference, row, "o", color=colour, mfc=inside, markersize=4.2, zorder=4)
        if line.paper is not None:
            axis.plot(line.paper, row, mew=0.7, zorder=3, **diamond(3.6))
    printed = any(line.paper is not None for _, line in lines)
    kinds = [Line2D([], [], label="paper", **diamond(3.6))] * printed
    there = {COLOURS[line.verdict] for _, line in lines}
    kinds += [
        Line2D([], [], marker="o", color=colour, markersize=4.2, label=verdict)
        for verdict, colour in COLOURS.items()
        if colour in there and "printed" not in verdict
    ]
    if any(line.excluded for _, line in lines):
        hollow = Line2D([], [], marker="o", mfc="white", color=MUTED, markersize=4.2, label="printed gain excluded")
        kinds.append(hollow)
    lower_legend(figure, kinds, 4)
    return figure


def _line(judged: Judged) -> Line:
    claim = judged.claim
    assert judged.difference is not None and judged.low is not None and judged.high is not None  # it has a verdict
    low, high = sorted((claim.sign * judged.low, claim.sign * judged.high))
    paper = None if claim.difference is None else claim.sign * float(claim.difference)
    measure = words.label(claim).replace("unknown words", "UNK").replace(" words less ", " less ")  # short of room
    difference, excluded = claim.sign * judged.difference, judged.printed_gain == "excluded"
    return Line(f"{claim.claim.says} ({measure})", judged.verdict, paper, difference, low, high, excluded)


def _scale(axis: Axes, reach: float) -> None:
    limit = 1.3 * max(reach, LINEAR)
    axis.set_xscale("symlog", linthresh=LINEAR)
    axis.set_xlim(-limit, limit)
    ticks = [tick for tick in (1, 3, 10, 30, 100, 300) if tick < limit]
    axis.set_xticks([*(-tick for tick in reversed(ticks)), 0, *ticks])
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):g}"))
    axis.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    axis.set_xlabel("← other way      as claimed →", fontsize=7)
