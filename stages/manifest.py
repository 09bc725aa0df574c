"""Stage `manifest`: the code that each stage runs, so that an edit reruns only who uses it.

DVC's dependencies of a matrix stage cannot follow a system to its model file and its terms. This stage does: it lists
the import closure of every stage script with a hash of each file's code, for training and evaluation system by system.
Every other stage depends on its own list and on no file of code: so an edited term retrains the systems that use it, an
edited measure reruns the scores alone, and an edited comment nothing. A list ends with the versions of the packages
that compute for its stage, but for training.
"""

from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import arguments, run
from stages.files.run_directory import MANIFEST
from stages.files.text import write_lines
from stages.pipeline.fingerprint import Code
from stages.settings.params import section
from stages.settings.variants import Variant

SYSTEM_BY_SYSTEM = ("train", "evaluate", "read_outs")
"""The stages that build a model: `<stage>/<variant>`; of the others `<stage>`."""
WITHOUT_PACKAGES = ("train",)


def main() -> None:
    arguments(__doc__)
    manifest(MANIFEST)


def manifest(path: Path) -> None:
    """Write the folder at `path`."""
    variants, code = section("variants", dict[str, Variant]), Code()
    with new_folder(path) as out:
        for stage in sorted(path.stem for path in Path("stages").glob("[!_]*.py")):
            entry = f"stages.{stage}"
            packages = [] if stage in WITHOUT_PACKAGES else code.packages(entry)
            if stage in SYSTEM_BY_SYSTEM:
                for name, variant in variants.items():
                    write_lines(out / stage / name, [*code.fingerprint(entry, variant.model), *packages])
            else:
                write_lines(out / stage, [*code.fingerprint(entry), *packages])


if __name__ == "__main__":
    run(main)
