"""Stage `binarize`: tokens -> fairseq's dictionaries and binary data, for both directions of translation."""

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
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--out", type=Path, required=True, help="folder of that direction's data")
    parser.add_argument("--out-reverse", type=Path, required=True, help="folder of the reverse direction's data")
    args = parser.parse_args()
    for out, reverse in ((args.out, False), (args.out_reverse, True)):
        pair = languages(args.corpus, args.direction, reverse)
        binarize(args.corpus, args.bpe, pair, out)
        print(f"{out}: dictionaries and binary data, {pair[0]} -> {pair[1]}", flush=True)


def binarize(corpus: str, bpe: Path, pair: tuple[str, str], out: Path) -> None:
    """fairseq's preprocessing of `train` and `dev`, from the first language of ``pair`` to the second."""
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    from fairseq import options
    from fairseq.data import Dictionary
    from fairseq_cli import preprocess

    logging.getLogger("fairseq_cli").setLevel(logging.WARNING)
    source, target = pair
    with new_folder(out) as folder:
        arguments = [
            "--source-lang", source, "--target-lang", target, "--destdir", str(folder), "--workers", "1",
            "--trainpref", str(bpe / "train"), "--validpref", str(bpe / "dev"),
        ]  # fmt: skip
        settings = section(f"corpora.{corpus}.segmentation", SegmentationSettings)
        if section("segmentation", Segmentation) == "words":
            sizes = _word_vocabularies(corpus, settings.word_vocabulary, Dictionary().nspecial)
            arguments += ["--nwordssrc", str(sizes[source]), "--nwordstgt", str(sizes[target])]
        elif settings.joint:
            arguments.append("--joined-dictionary")
        preprocess.main(options.get_preprocessing_parser().parse_args(arguments))
        (folder / "preprocess.log").unlink(missing_ok=True)  # holds times and paths: nothing that training depends on


def _word_vocabularies(corpus: str, words: WordVocabulary, specials: int) -> dict[str, int]:
    """Language -> size of its dictionary as fairseq counts it, special symbols included; -1: without limit."""
    sizes = zip(languages(corpus, "forward"), (words.source, words.target), strict=True)
    return {language: -1 if size is None else size + specials for language, size in sizes}


if __name__ == "__main__":
    run(main)
