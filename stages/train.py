"""Stage `train`: one system, one seed -> its best checkpoint, log, learning curve and record."""

import argparse
import os
import shutil
from pathlib import Path

from stages.files.atomic import io_errors, new_folder
from stages.files.main import run
from stages.files.records import write_json
from stages.settings.languages import languages
from stages.settings.params import section
from stages.settings.training import ModelSizes
from stages.settings.variants import training_settings, variant
from stages.training.arguments import training_arguments
from stages.training.scratch import alone, discard, scratch_folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--reverse", action="store_true", help="train the reverse of that direction")
    parser.add_argument("--variant", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage: words and references")
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage: the dev set in pieces")
    parser.add_argument("--data", type=Path, required=True, help="folder of the binarize stage")
    parser.add_argument("--code", type=Path, required=True, help="code manifest of this system's training")
    parser.add_argument("--supervision", type=Path, required=True, help="this system's folder of that stage")
    parser.add_argument("--initial", type=Path, help="folder of the initialise stage, of a fine-tuned system")
    parser.add_argument("--scratch", type=Path, required=True, help="folder for trainings under way")
    parser.add_argument("--out", type=Path, required=True)
    train(parser.parse_args())


def train(args: argparse.Namespace) -> None:
    """Train in a scratch folder, going on with what an interrupted run left there, and publish the result."""
    settings = training_settings(args.corpus, args.variant, fine_tuned=args.initial is not None)
    os.environ["OMP_NUM_THREADS"] = str(settings.threads)  # read once, when torch is imported
    from stages.training.initial import write_initial
    from stages.training.run import model_arguments_of, train_in
    from stages.training.saves import BEST, LOG, Saves, publish, sync
    from stages.training.supervision import supervised_data

    sizes = section(f"corpora.{args.corpus}.model", ModelSizes)
    arguments = model_arguments_of(variant(args.variant).on(args.corpus).model, sizes, args.variant)
    pair, name = languages(args.corpus, args.direction, args.reverse), f"{args.variant}-{args.seed}"
    given = [*arguments, *training_arguments(settings, args.seed, args.data, Path("scratch"), pair)]
    inputs = [args.code, args.data, args.bpe, args.supervision, *([args.initial] if args.initial else [])]
    scratch = scratch_folder(args.scratch, name, [*given, settings.model_dump_json()], inputs)
    saves = Saves(scratch)
    with alone(scratch), io_errors(scratch):
        saves.restore()
        data, further = supervised_data(args.data, args.supervision, scratch / "data", pair)
        arguments += training_arguments(settings, args.seed, data, scratch, pair) + further
        if args.initial is not None:
            write_initial(scratch / "initial.pt", arguments, args.seed, args.initial)
            arguments += ["--finetune-from-model", str(scratch / "initial.pt")]
        record, curve = train_in(scratch, name, settings, arguments, args.text, args.bpe, pair)
    with new_folder(args.out) as out:
        publish(saves.file(BEST), saves.sum(BEST), out / "model.pt")
        shutil.copyfile(scratch / LOG, out / LOG)
        curve(out / "curve.csv")
        write_json(out / "training.json", {"variant": args.variant, "seed": args.seed, **record})
        sync(out)
    discard(scratch)


if __name__ == "__main__":
    run(main)
