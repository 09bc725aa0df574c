"""Stage `evaluate`: what a trained system translates, and how it attends on given translations.

With `--reverse`, of a model of the reverse direction: the probabilities of dev alone.
"""

import argparse
import os
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import run
from stages.settings.languages import languages
from stages.settings.machine import check_threads
from stages.settings.params import section
from stages.settings.training import Decoding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--reverse", action="store_true", help="the model is of the reverse of that direction")
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage: which sets there are")
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--data", type=Path, required=True, help="folder of the binarize stage: the dictionaries")
    parser.add_argument("--model", type=Path, required=True, help="checkpoint of the train stage")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    decoding = section(f"corpora.{args.corpus}.decoding", Decoding)
    check_threads(decoding.threads, f"corpora.{args.corpus}.decoding.threads")
    os.environ["OMP_NUM_THREADS"] = str(decoding.threads)  # read once, when torch is imported
    from stages.translating.evaluation import evaluate, force_sets
    from stages.translating.load import load_system

    pair = languages(args.corpus, args.direction, args.reverse)
    system = load_system(args.model, args.data)
    with new_folder(args.out) as out:
        if args.reverse:
            force_sets(system, ("dev",), args.bpe, pair, decoding, out)
        else:
            evaluate(system, read_corpus_record(args.text), args.bpe, pair, decoding, out)


if __name__ == "__main__":
    run(main)
