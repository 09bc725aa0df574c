"""Stage `needs`: what a row's training, evaluation and scoring need beside the data: code, links, candidates.

DVC's dependencies of a matrix stage cannot follow a row to its model file and its terms. This stage does: it lists the
row's import closure with a hash of each file's code, and puts beside it the word alignments or the table of candidates
that the row learns from, if it does. Training depends on what stands here for its row: so an edited term retrains the
systems that use it, another aligner those that learn from alignments, and an edited comment nothing.
"""

import argparse
import shutil
from collections.abc import Iterable
from pathlib import Path

from stages.alignment.pieces import read_piece_links
from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.text import write_lines
from stages.pipeline.fingerprint import fingerprint
from stages.settings.languages import languages
from stages.settings.params import validate
from stages.settings.systems import row, training_settings
from stages.settings.training import Variant

SETS = {"train": "train", "dev": "valid"}  # ours: fairseq's


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--candidates", type=Path, required=True, help="table of the candidates stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets `train`, `evaluate` and `score`")
    needs(parser.parse_args())


def needs(args: argparse.Namespace) -> None:
    """Folders `train`, `evaluate` and `score`, each with a list `code`; `train` also with links or candidates."""
    model = validate(row(args.variant), Variant, args.variant).model
    supervision = training_settings(args.corpus, args.variant).supervision
    with new_folder(args.out) as out:
        for stage, built in {"train": model, "evaluate": model, "score": None}.items():
            write_lines(out / stage / "code", fingerprint(f"stages.{stage}", built))
        if supervision == "links":
            _write_links(args, out / "train")
        elif supervision == "candidates":
            shutil.copy(args.candidates, out / "train" / "candidates.tsv")


def _write_links(args: argparse.Namespace, folder: Path) -> None:
    """`<set>.align` with the links of train and dev between pieces, in the direction of the translation."""
    pair = languages(args.corpus, args.direction)
    for name, theirs in SETS.items():
        texts = [args.bpe / f"{name}.{language}" for language in pair]
        found = read_piece_links(args.wordalign / f"{name}.gdfa", *texts, reverse=args.direction == "reverse")
        write_lines(folder / f"{theirs}.align", map(_line, found))


def _line(links: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{j}-{i}" for j, i in links)


if __name__ == "__main__":
    run(main)
