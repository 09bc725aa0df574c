"""`python -m stages.reporting.overview --reports reports`: write `reports/README.md` anew.

Made from every metrics.json there is, so that it says the same whoever writes it; the report stage writes it too.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.files.main import run
from stages.reporting.overview.page import write_overview


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, default=Path("reports"), help="folder of the reports")
    write_overview(parser.parse_args(arguments).reports)


if __name__ == "__main__":
    run(main)
