"""Writes `index.html`, the last file of a report: it shows the figures that stand beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.files.errors import InputError
from stages.files.git import CODE, git
from stages.reporting.figures.all_figures import captions
from stages.reporting.outputs import BROWSER_PAGE
from stages.reporting.page.contents import findings, page_figures, page_links, page_tables
from stages.reporting.page.fit import LEVELS, Packed, fit, pack
from stages.reporting.page.fonts import font_face
from stages.reporting.page.template import fill
from stages.reporting.sentence_sets import SentenceSet
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.table import ReportTable

LIMIT = 4_000_000
"""Bytes of the page: it is in git, one for each study on real text."""


def write_page(study: StudyResults, sets: Sequence[SentenceSet], found: Sequence[ReportTable], folder: Path) -> None:
    """Write `index.html` to the folder of the report, whose figures must be there already."""
    text, titles = study.text, study.spec.titles
    title = f"{study.stats['corpus']}, {text.source} → {text.target}"
    data = {
        "title": title,
        "languages": [text.source, text.target],
        "seed": study.spec.seeds[0],
        "systems": [{"name": variant, "title": shown} for variant, shown in titles.items()],
        "first": _first(study),
        "made": made_from(),
        "links": page_links(folder),
        "findings": findings(study.judged, study.spec.caution),
        "tables": page_tables(found),
        "figures": [figure._asdict() for figure in page_figures(folder, captions(study))],
    }
    none = pack(sets, LEVELS[0], 0)
    room = LIMIT - len(fill(title, data | _explorer(sets, none), none.blocks, "").encode())
    packed = fit(sets, room)
    font = font_face(data, sets, packed.sentences)
    if packed.size > room - len(font):  # fewer sentences have no other characters
        packed = fit(sets, room - len(font))
    page = fill(title, data | _explorer(sets, packed), packed.blocks, font)
    (folder / BROWSER_PAGE).write_text(page, encoding="utf-8")


def _explorer(sets: Sequence[SentenceSet], packed: Packed) -> dict[str, Any]:
    return {
        "levels": packed.levels,
        "sets": [
            {
                "name": one.name,
                "forced": one.forced,
                "sentences": min(len(one.source), packed.sentences),
                "of": len(one.source),
                "measures": [list(side.values) for side in one.sides.values()],
            }
            for one in sets
        ],
    }


def _first(study: StudyResults) -> list[str]:
    """The two systems to begin with: the baseline and, of the others, the one with the best BLEU."""
    baseline = study.spec.compare.baseline
    others = study.frame["bleu"].drop(baseline)
    return [baseline, baseline if others.empty else others.idxmax()]


UNKNOWN = "The commit that this page was made from is not known: there is no git here."


def made_from() -> str:
    """A sentence for the page: the commit of HEAD, and whether code has been changed since."""
    try:
        head, changed = git("rev-parse", "HEAD"), git("status", "--porcelain", "--", *CODE)
    except InputError:
        return UNKNOWN
    return f"Made from commit {head}{', with changes to the code that are not committed' if changed else ''}."
