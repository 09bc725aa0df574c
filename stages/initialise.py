"""Stage `initialise`: the trained models that a fine-tuned system begins with, seed by seed.

A stage of its own because a matrix over the fine-tuned systems cannot name each one's base: training depends on the
folder of its seed here, so a further seed of the base retrains nothing.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.errors import InputError
from stages.files.main import RUN, arguments, run
from stages.settings.study_run import run_of
from stages.settings.systems import study_systems

MODEL, REVERSE = "model.pt", "reverse.pt"


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    of = run_of(args)
    trained = study_systems(of.content)
    base = of.folders.model(trained.fine_tuned[args.variant], 0).parent
    initialise(base, trained.seeds, of.folders.initial(args.variant))


def initialise(models: Path, seeds: Sequence[int], out: Path) -> None:
    """Write the folder `out`, a folder for each seed. models: the base's, <seed> and <seed>-reverse."""
    with new_folder(out) as folder:
        for seed in seeds:
            trained = models / str(seed) / MODEL
            if not trained.is_file():
                raise InputError(f"{trained} is missing; train that system first: `make repro` does")
            (folder / str(seed)).mkdir()
            shutil.copyfile(trained, folder / str(seed) / MODEL)
            both_ways = models / f"{seed}-reverse" / MODEL
            if both_ways.is_file():
                shutil.copyfile(both_ways, folder / str(seed) / REVERSE)


if __name__ == "__main__":
    run(main)
