"""Alignment error by read-out: a line a system, a marker a way of reading its links."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.layout import Caption, lower_legend, row_panels, short_titles
from stages.reporting.study_results import StudyResults
from stages.reporting.style import GREY, INK, PALETTE
from stages.scoring.read_outs import READ_OUTS

WIDTH = 4.4
"""Inches of the panel."""
MARKERS: dict[str, dict[str, Any]] = {
    "attention": {"marker": "o", "color": INK, "label": "attention"},
    "shifted": {"marker": "x", "color": GREY, "label": "next word's (control)"},
    "gradient": {"marker": "^", "color": PALETTE[0], "label": "gradient × input"},
    "erasure": {"marker": "v", "color": PALETTE[1], "label": "erasure"},
    "head": {"marker": "*", "color": PALETTE[3], "label": "best head"},
    "intersection": {"marker": "s", "color": PALETTE[2], "label": "intersection"},
    "grow_diag_final_and": {"marker": "D", "color": PALETTE[4], "label": "grow-diag-final-and"},
}
"""Of each of `READ_OUTS`, with a shorter name."""


def caption(study: StudyResults) -> Caption:
    spread = ", with the standard deviation over the seeds" if len(study.spec.seeds) > 1 else ""
    return Caption(
        "Alignment error by read-out",
        "A line a system: the alignment error rate of the gold set under forced decoding (to the left is better), by "
        f"how links are read out of the trained system{spread}.",
    )


def read_outs(study: StudyResults) -> Figure | None:
    """None where the study asks for none."""
    found = study.document.get("read_outs", {})
    if not found:
        return None
    titles = short_titles({name: study.spec.titles[name] for name in found})
    figure, (axis,) = row_panels(list(titles.values()), [WIDTH])
    shown = [name for name in READ_OUTS if any(name in of["mean"] for of in found.values())]
    for row, of in enumerate(found.values()):
        for name in (name for name in shown if of["mean"].get(name, {}).get("aer") is not None):
            style = MARKERS[name]
            axis.errorbar(
                of["mean"][name]["aer"], row, xerr=of["sd"][name]["aer"], linestyle="none", markersize=4.5,
                elinewidth=0.7, zorder=3, **style,
            )  # fmt: skip
    axis.grid(visible=True, axis="x")
    handles = [Line2D([], [], linestyle="none", markersize=4.5, **MARKERS[name]) for name in shown]
    lower_legend(figure, handles, 4, fontsize=6.5, title="AER of the gold set, %")
    return figure
