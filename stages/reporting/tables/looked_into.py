"""`looked_into.md`: what was tried, and found, where a system of the study surprised."""

from pathlib import Path

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.markdown import escape
from stages.reporting.tables.table_files import write_text

NAME = "looked_into.md"
ABOUT = """# Looked into

Where a system surprised, this is what was tried and what was found. The verdicts are in [claims.md](claims.md).
"""


def tried(study: StudyResults) -> dict[str, str]:
    """System of the study -> what was tried and found."""
    return {name: study.looked[name] for name in study.spec.titles if name in study.looked}


def write_looked_into(study: StudyResults, folder: Path) -> None:
    """To `folder`, where nothing is written if nothing was tried."""
    texts = tried(study)
    sections = [f"## {escape(study.spec.titles[name])}\n\n{escape(text)}\n" for name, text in texts.items()]
    if sections:
        write_text(folder / NAME, "\n".join([ABOUT, *sections]))
