"""Stage `check`: whatever can be refused before the first sentence is read, in one place that everything depends on.

Every setting and every system of the study, what the report needs that no stage makes, and what would stop it at its
end.
"""

import argparse
from pathlib import Path

from stages.files.main import run
from stages.files.text import write_lines
from stages.reporting.ready import check_report
from stages.settings.schema import load
from stages.training.check import check_models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a file; says nothing but that all was well")
    args = parser.parse_args()
    params = load()
    print(f"checking that the {len(params.rows) + len(params.fine_tuned)} systems can be built", flush=True)
    check_report(params)
    check_models(params)
    write_lines(args.out, ["params.yaml is in order"])


if __name__ == "__main__":
    run(main)
