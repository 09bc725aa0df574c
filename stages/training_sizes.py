"""Stage `training_sizes`: the quality of a study's systems beside that of the same systems on less training text."""

from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import arguments, run
from stages.files.run_directory import REPORTS
from stages.reporting.comparable import read_study_metrics
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import page
from stages.reporting.tables.table_files import write_csv, write_text
from stages.reporting.tables.two_training_sizes import training_sizes
from stages.settings.study_run import study_report

NAME = "table"


def main() -> None:
    args = arguments(__doc__, "study", "smaller")
    out = study_report(args.study) / "training_sizes" / study_report(args.smaller).name
    compare(args.study, args.smaller, REPORTS, out)


def compare(study: str, less: str, reports: Path, out: Path) -> None:
    """Write the folder `out`: the table as Markdown, CSV and LaTeX. reports: folder of the reports of both studies."""
    smaller, larger = (read_study_metrics(reports, name) for name in (less, study))
    table = training_sizes(smaller, larger)
    with new_folder(out) as folder:
        write_text(folder / f"{NAME}.md", page(table))
        write_csv(folder / f"{NAME}.csv", table)
        write_text(folder / f"{NAME}.tex", latex(table, f"{larger.study}-training-sizes-{smaller.study}"))


if __name__ == "__main__":
    run(main)
