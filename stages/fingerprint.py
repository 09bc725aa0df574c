"""Stage `fingerprint`: which code one variant's training and evaluation run, and in which version.

DVC's dependencies of a matrix stage cannot follow a variant to its model file and its terms. This stage does: it lists
the variant's import closure with a hash of each file's code. Training depends on that list, so an edited term retrains
the systems that use it and no other, and an edited comment retrains nothing.
"""

import argparse
from pathlib import Path

from stages.closure import closure, code_hash
from stages.main import run
from stages.params import section
from stages.settings.training import VariantModel
from stages.textio import write_lines

MODELS, TERMS = "fairseq_plugins.models", "fairseq_plugins.terms"


def fingerprint(entry: str, model: VariantModel, root: Path = Path()) -> list[str]:
    """Lines ``path sha256``: the code that ``entry`` runs for a variant.

    A system of ours adds its model file, a combination its terms; fairseq's own architectures add nothing.
    """
    entries = [entry]
    if (root / Path(*MODELS.split(".")) / f"{model.arch}.py").is_file():
        entries.append(f"{MODELS}.{model.arch}")
    entries += [f"{TERMS}.{term}" for term in model.terms or ()]
    return [f"{file.as_posix()} {code_hash(root / file)}" for file in closure(entries, root)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder; gets <variant>.train and <variant>.evaluate")
    args = parser.parse_args()
    model = section(f"variants.{args.variant}.model", VariantModel)
    for stage in ("train", "evaluate"):
        write_lines(args.out / f"{args.variant}.{stage}", fingerprint(f"stages.{stage}", model))


if __name__ == "__main__":
    run(main)
