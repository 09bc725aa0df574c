"""Stage `manifest`: the code that each stage runs, so that an edit reruns only who uses it.

DVC's dependencies of a matrix stage cannot follow a system to its model file and its terms. This stage does: it lists
the import closure of every stage script with a hash of each file's code, for training and evaluation system by system.
Every other stage depends on its own list and on no file of code: so an edited term retrains the systems that use it, an
edited measure reruns the scores alone, and an edited comment nothing.
"""

import argparse
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.text import write_lines
from stages.pipeline.fingerprint import fingerprint
from stages.settings.params import section
from stages.settings.variants import Variants

SYSTEM_BY_SYSTEM = ("train", "evaluate")
"""The stages that build a model: `<out>/<stage>/<variant>`; of the others `<out>/<stage>`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder; replaced as a whole")
    args = parser.parse_args()
    variants = section("variants", Variants)
    with new_folder(args.out) as out:
        for stage in sorted(path.stem for path in Path("stages").glob("*.py")):
            if stage in SYSTEM_BY_SYSTEM:
                for name, variant in variants.items():
                    write_lines(out / stage / name, fingerprint(f"stages.{stage}", variant.model))
            else:
                write_lines(out / stage, fingerprint(f"stages.{stage}"))


if __name__ == "__main__":
    run(main)
