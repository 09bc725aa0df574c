"""One small figure for talks: the contrasts whose gain the papers print, theirs beside ours on every corpus."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.claims import words
from stages.reporting.claims.claims import Contrast, PaperClaim, all_claims, contrast, reconstructed
from stages.reporting.claims.sizes import comparable
from stages.reporting.figures.layout import diamond, interval, lower_legend, row_panels, short_titles
from stages.reporting.overview.study import Study
from stages.reporting.style import MUTED, PALETTE, SCREEN_DPI, rc, save_png

NAME = "contrasts"
WIDTH, HEIGHT_OF_ALL = 3.6, 0.7
"""Inches of the panel; the part of a row that the corpora share."""
BASELINES = (
    *("rnnencdec", "rnnencdec_30", "rnnencdec_50", "rnnsearch", "rnnsearch_30", "rnnsearch_50", "rnnsearch_continued"),
    *("rnnsearch_star", "rnnsearch_star_continued", "lvnmt"),
)
"""What the papers hold their systems against; contrasts with another system are left out, so that it stays small."""
OF_TRANSLATION = ("bleu", "bleu_v11b", "bleu_unk_kept", "ter_minus_bleu_half")


class Row(NamedTuple):
    """A contrast by the first measure of translation that a paper prints of it."""

    claim: PaperClaim
    paper: float


def write_contrasts(studies: Sequence[Study], folder: Path) -> str | None:
    """To `folder`/contrasts.png; the name of the file, or None if no study speaks to a printed gain.

    studies: one of each corpus.
    """
    with matplotlib.rc_context(rc()):
        figure = drawn(studies)
        if figure is None:
            (folder / f"{NAME}.png").unlink(missing_ok=True)
            return None
        save_png(figure, folder / NAME, SCREEN_DPI)
    return f"{NAME}.png"


def rows(studies: Sequence[Study]) -> list[Row]:
    """Of the contrasts that any study has a verdict on, in the order of the papers, without reconstructions."""
    found: dict[Contrast, Row] = {}
    for claim in all_claims():
        printed, measure = comparable(claim), claim.measure.rpartition(".")[2]
        ours = claim.claim.ours
        if printed is None or measure not in OF_TRANSLATION or ours.against not in BASELINES or ours.gains_over:
            continue
        if reconstructed(ours.weights):
            continue
        if any(claim.id in study.verdicts for study in studies):
            found.setdefault(contrast(ours.weights), Row(claim, abs(printed)))
    return list(found.values())


def drawn(studies: Sequence[Study]) -> Figure | None:
    """Everything is turned so that what is claimed is positive."""
    found = rows(studies)
    if not found:
        return None
    figure, (axis,) = row_panels(list(_titles(found, studies)), [WIDTH])
    shift = HEIGHT_OF_ALL / len(studies)
    for k, row in enumerate(found):
        axis.plot(row.paper, k, mew=0.8, zorder=3, **diamond(4))
        for rank, study in enumerate(studies):
            if one := study.verdicts.get(row.claim.id):
                place, sign = k + shift * (rank - (len(studies) - 1) / 2), row.claim.sign
                ends = [sign * one["low"], sign * one["high"]]
                colour = PALETTE[rank % len(PALETTE)]
                interval(axis, ends, place, colour, width=1)
                axis.plot(sign * one["difference"], place, "o", color=colour, markersize=3.2, mew=0, zorder=4)
    axis.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    axis.set_xlabel("← other way      points, as claimed →", fontsize=7)
    kinds = [Line2D([], [], label="paper", **diamond(4))]
    for rank, study in enumerate(studies):
        colour = PALETTE[rank % len(PALETTE)]
        kinds.append(Line2D([], [], marker="o", color=colour, markersize=3.2, linewidth=1, label=study.name))
    lower_legend(figure, kinds, 4)
    return figure


def _titles(found: Sequence[Row], studies: Sequence[Study]) -> Iterator[str]:
    there = [study.document["systems"] for study in studies]
    names = short_titles({name: one["title"] for systems in there for name, one in systems.items()})
    for row in found:
        ours = row.claim.claim.ours
        sides = " − ".join(names.get(name, name) for name in (ours.system, ours.against) if name)
        yield f"{sides} ({words.label(row.claim)})"
