"""Stage `binarize`: tokens -> fairseq's dictionaries and binary data, for both directions of translation."""

import logging
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.settings.corpora import SegmentationSettings, WordVocabulary
from stages.settings.languages import Segmentation, languages
from stages.settings.params import section
from stages.settings.study_run import run_of


def main() -> None:
    of = run_of(arguments(__doc__, *RUN))
    for out, reverse in ((of.folders.data, False), (of.folders.data_reverse, True)):
        source, target = of.languages(reverse)
        binarize(of.corpus, of.segmentation, of.folders.tokens, (source, target), out)
        print(f"{out}: dictionaries and binary data, {source} -> {target}", flush=True)


def binarize(corpus: str, segmentation: Segmentation, bpe: Path, pair: tuple[str, str], out: Path) -> None:
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
        if segmentation == "words":
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
