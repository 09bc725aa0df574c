"""Stage `initialise`: the trained models that a fine-tuned system begins with, seed by seed.

A stage of its own because a matrix over the fine-tuned systems cannot name each one's base: training depends on the
folder of its seed here, so a further seed of the base retrains nothing.
"""

import argparse
import shutil
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.errors import InputError
from stages.files.main import run
from stages.settings.systems import study_systems

MODEL, REVERSE = "model.pt", "reverse.pt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True, help="the base's models: <seed>, <seed>-reverse")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets one for each seed")
    args = parser.parse_args()
    with new_folder(args.out) as out:
        for seed in study_systems().seeds:
            trained = args.models / str(seed) / MODEL
            if not trained.is_file():
                raise InputError(f"{trained} is missing; train that system first: `make repro` does")
            (out / str(seed)).mkdir()
            shutil.copyfile(trained, out / str(seed) / MODEL)
            both_ways = args.models / f"{seed}-reverse" / MODEL
            if both_ways.is_file():
                shutil.copyfile(both_ways, out / str(seed) / REVERSE)


if __name__ == "__main__":
    run(main)
