"""Stage `candidates`: aligned training text -> for each source phrase the target words that translate it best."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from stages.alignment.phrase_table import phrase_table
from stages.alignment.piece_links import read_piece_links
from stages.files.main import run
from stages.files.text import iter_lines, write_lines
from stages.settings.languages import languages


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage: the tokens of the run")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--out", type=Path, required=True, help="table to write")
    args = parser.parse_args(arguments)
    sides = [args.bpe / f"train.{language}" for language in languages(args.corpus, args.direction)]
    links = read_piece_links(args.wordalign / "train.gdfa", *sides, reverse=args.direction == "reverse")
    sentences = zip(*map(iter_lines, sides), links, strict=True)
    write_lines(args.out, phrase_table(tqdm(sentences, desc="extracting phrases", unit="sentence", disable=None)))


if __name__ == "__main__":
    run(main)
