"""Stage `share`: the trained models of a system, for another one that differs in decoding only, seed by seed.

A stage of its own because a matrix over these systems cannot name each one's base, as `initialise` is. An ensemble
finds the models of its seed and of the seeds that follow it, the first after the last.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.ensemble import FURTHER
from stages.files.errors import InputError
from stages.files.main import RUN, arguments, run
from stages.files.records import read_record, write_json
from stages.settings.study_run import run_of
from stages.settings.systems import study_systems

MODEL, RECORD, CURVE = "model.pt", "training.json", "curve.csv"
OF_THE_TRAINING = ("wall_seconds", "train_tokens_per_second")
"""What the system of the models has in its record, and one that is not trained has not."""


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    of = run_of(args)
    systems = study_systems(of.content)
    base, control = of.folders.model(systems.decoded[args.variant], 0).parent, systems.variants[args.variant].decoding
    ensemble = control.ensemble if control else 1
    share(args.variant, base, systems.seeds, ensemble, of.folders.model(args.variant, 0).parent)


def share(variant: str, models: Path, seeds: Sequence[int], ensemble: int, out: Path) -> None:
    """Write the folder `out`, a folder for each seed. models: the base's; ensemble: how many models each one has."""
    with new_folder(out) as folder:
        for place, seed in enumerate(seeds):
            own = folder / str(seed)
            own.mkdir()
            taken = [models / str(seeds[(place + k) % len(seeds)]) for k in range(ensemble)]
            if missing := [trained / MODEL for trained in taken if not (trained / MODEL).is_file()]:
                raise InputError(f"{missing[0]} is missing; train that system first: `make repro` does")
            for trained, name in zip(taken, (MODEL, *map(FURTHER.format, range(2, ensemble + 1))), strict=True):
                shutil.copyfile(trained / MODEL, own / name)
            shutil.copyfile(taken[0] / CURVE, own / CURVE)
            record = read_record(taken[0] / RECORD, ("variant", "parameters"))
            more = {"variant": variant, "parameters": record["parameters"] * ensemble}
            write_json(own / RECORD, {**record, **more, **dict.fromkeys(OF_THE_TRAINING)})


if __name__ == "__main__":
    run(main)
