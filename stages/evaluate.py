"""Stage `evaluate`: what a trained system translates, and how it attends on given translations.

With `--reverse`, of a model of the reverse direction: the probabilities of dev alone.
"""

import os
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import RUN, arguments, run
from stages.files.scratch import discard_ended
from stages.settings.languages import Direction, languages
from stages.settings.machine import check_threads
from stages.settings.params import section
from stages.settings.study_run import run_of
from stages.settings.training import Decoding, DecodingControl
from stages.settings.variants import variant


def main() -> None:
    args = arguments(__doc__, *RUN, "variant", "seed", flags=["reverse"])
    of = run_of(args)
    folders, system = of.folders, (args.variant, args.seed, args.reverse)
    discard_ended(folders.scratch(args.reverse), f"{args.variant}-{args.seed}")
    evaluate(
        corpus=of.corpus,
        direction=of.direction,
        reverse=args.reverse,
        text=folders.of_corpus.text,
        bpe=folders.tokens,
        data=folders.data_reverse if args.reverse else folders.data,
        model=folders.model(*system) / "model.pt",
        control=variant(args.variant, of.content).decoding,
        out=folders.translations(*system),
    )


def evaluate(
    corpus: str, direction: Direction, reverse: bool, text: Path, bpe: Path, data: Path, model: Path,
    control: DecodingControl | None, out: Path,
) -> None:  # fmt: skip
    """Write the folder `out` for a checkpoint. text, bpe, data: folders of the stages corpus, bpe and binarize.

    reverse: the model is of the reverse of `direction`. control: of a system that shares its models; those of an
    ensemble are beside the first one, where `stages.share` has put them.
    """
    decoding = section(f"corpora.{corpus}.decoding", Decoding)
    check_threads(decoding.threads, f"corpora.{corpus}.decoding.threads")
    os.environ["OMP_NUM_THREADS"] = str(decoding.threads)  # read once, when torch is imported
    from stages.translating.evaluation import evaluate, force_sets
    from stages.translating.load import load_ensemble

    pair = languages(corpus, direction, reverse)
    system = load_ensemble(model, data)
    with new_folder(out) as folder:
        if reverse:
            force_sets(system, ("dev",), bpe, pair, decoding, folder)
        else:
            evaluate(system, read_corpus_record(text), bpe, pair, decoding, folder, control)


if __name__ == "__main__":
    run(main)
