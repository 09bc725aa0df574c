"""Stage `binarize`: pieces -> fairseq's dictionaries and binary data."""

import argparse
import logging
from pathlib import Path

from stages.languages import languages
from stages.main import run
from stages.params import section
from stages.textio import new_folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    from fairseq import options
    from fairseq_cli import preprocess

    logging.getLogger("fairseq_cli").setLevel(logging.WARNING)
    source, target = languages(args.corpus, args.direction)
    with new_folder(args.out) as out:
        arguments = [
            "--source-lang", source, "--target-lang", target, "--destdir", str(out), "--workers", "1",
            "--trainpref", str(args.bpe / "train"), "--validpref", str(args.bpe / "dev"),
        ]  # fmt: skip
        if section(f"corpora.{args.corpus}.segmentation.joint", bool):
            arguments.append("--joined-dictionary")
        preprocess.main(options.get_preprocessing_parser().parse_args(arguments))
        (out / "preprocess.log").unlink(missing_ok=True)  # holds times and paths: nothing that training depends on
    print(f"{args.out}: dictionaries and binary data, {source} -> {target}")


if __name__ == "__main__":
    run(main)
