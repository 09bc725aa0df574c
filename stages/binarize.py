"""Stage `binarize`: tokens -> fairseq's dictionaries and binary data."""

import argparse
import logging
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.settings.corpora import Segmentation, SegmentationSettings, WordVocabulary
from stages.settings.languages import languages
from stages.settings.params import section


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--opposite", action="store_true", help="the direction opposite to that")
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    from fairseq import options
    from fairseq.data import Dictionary
    from fairseq_cli import preprocess

    logging.getLogger("fairseq_cli").setLevel(logging.WARNING)
    source, target = languages(args.corpus, args.direction, args.opposite)
    with new_folder(args.out) as out:
        arguments = [
            "--source-lang", source, "--target-lang", target, "--destdir", str(out), "--workers", "1",
            "--trainpref", str(args.bpe / "train"), "--validpref", str(args.bpe / "dev"),
        ]  # fmt: skip
        settings = section(f"corpora.{args.corpus}.segmentation", SegmentationSettings)
        if section("segmentation", Segmentation) == "words":
            sizes = _word_vocabularies(args.corpus, settings.word_vocabulary, Dictionary().nspecial)
            arguments += ["--nwordssrc", str(sizes[source]), "--nwordstgt", str(sizes[target])]
        elif settings.joint:
            arguments.append("--joined-dictionary")
        preprocess.main(options.get_preprocessing_parser().parse_args(arguments))
        (out / "preprocess.log").unlink(missing_ok=True)  # holds times and paths: nothing that training depends on
    print(f"{args.out}: dictionaries and binary data, {source} -> {target}")


def _word_vocabularies(corpus: str, words: WordVocabulary, specials: int) -> dict[str, int]:
    """Language -> size of its dictionary as fairseq counts it, special symbols included; -1: without limit."""
    sizes = zip(languages(corpus, "forward"), (words.source, words.target), strict=True)
    return {language: -1 if size is None else size + specials for language, size in sizes}


if __name__ == "__main__":
    run(main)
