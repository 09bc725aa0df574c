"""Stage `training_sizes`: the quality of a study's systems beside that of the same systems on less training text."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.reporting.comparable import read_study_metrics
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import page
from stages.reporting.tables.table_files import write_csv, write_text
from stages.reporting.tables.two_training_sizes import training_sizes

NAME = "table"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="the study with more training text")
    parser.add_argument("--smaller", required=True, help="the one with less")
    parser.add_argument("--reports", required=True, type=Path, help="folder of the reports of both")
    parser.add_argument("--out", required=True, type=Path, help="folder; gets the table as Markdown, CSV and LaTeX")
    args = parser.parse_args(arguments)
    smaller, larger = (read_study_metrics(args.reports, study) for study in (args.smaller, args.study))
    table = training_sizes(smaller, larger)
    with new_folder(args.out) as folder:
        write_text(folder / f"{NAME}.md", page(table))
        write_csv(folder / f"{NAME}.csv", table)
        write_text(folder / f"{NAME}.tex", latex(table, f"{larger.study}-training-sizes-{smaller.study}"))


if __name__ == "__main__":
    run(main)
