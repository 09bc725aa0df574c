"""Stage `supervision`: what each system learns from beside the text, or that it learns from the text alone.

Training depends on the folder of its system: so another aligner retrains the systems that learn from word alignments,
and no other.
"""

import argparse
import shutil
from collections.abc import Iterable
from pathlib import Path

from stages.alignment.piece_links import read_piece_links
from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.text import write_lines
from stages.settings.languages import languages
from stages.settings.systems import study_systems
from stages.settings.variants import training_settings

SETS = {"train": "train", "dev": "valid"}  # ours: fairseq's


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--candidates", type=Path, required=True, help="table of the candidates stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets one for each system")
    args = parser.parse_args()
    study = study_systems()
    with new_folder(args.out) as out:
        for name in (*study.rows, *study.fine_tuned):
            settings = training_settings(args.corpus, name)
            write_lines(out / name / "kind", [settings.supervision or "the text alone"])
            if "links" in settings.sources:
                _write_links(args, out / name)
            if "candidates" in settings.sources:
                shutil.copy(args.candidates, out / name / "candidates.tsv")


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
