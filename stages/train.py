"""Stage `train`: one system, one seed -> its best checkpoint, log, learning curve and record."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

from stages.files.atomic import io_errors, new_folder
from stages.files.main import arguments, run
from stages.files.records import write_json
from stages.files.run_directory import MANIFEST
from stages.settings.languages import Direction, languages
from stages.settings.params import section
from stages.settings.study_run import study_run
from stages.settings.training import ModelSizes
from stages.settings.variants import training_settings, variant
from stages.training.arguments import training_arguments
from stages.training.scratch import alone, discard, scratch_folder


class Job(NamedTuple):
    """A training: of what, and where its inputs and outputs are.

    reverse: trained in the reverse of `direction`. text, bpe, data: folders of the stages corpus, bpe and binarize;
    code: code manifest of this system's training; supervision: this system's folder of that stage; scratch: folder for
    trainings under way; initial: folder of the initialise stage, of a fine-tuned system.
    """

    corpus: str
    direction: Direction
    reverse: bool
    variant: str
    seed: int
    text: Path
    bpe: Path
    data: Path
    code: Path
    supervision: Path
    scratch: Path
    out: Path
    initial: Path | None = None


def main() -> None:
    args = arguments(__doc__, "study", "variant", "seed", flags=["reverse", "fine-tune"])
    of, system = study_run(args.study), (args.variant, args.seed)
    folders = of.folders
    job = Job(
        corpus=of.corpus,
        direction=of.direction,
        reverse=args.reverse,
        variant=args.variant,
        seed=args.seed,
        text=folders.of_corpus.text,
        bpe=folders.tokens,
        data=folders.data_reverse if args.reverse else folders.data,
        code=MANIFEST / "train" / args.variant,
        supervision=folders.supervision / args.variant,
        scratch=folders.scratch(args.reverse),
        out=folders.model(*system, args.reverse),
        initial=folders.initial(args.variant) / str(args.seed) if args.fine_tune else None,
    )
    train(job)


def train(args: Job) -> None:
    """Train in a scratch folder, going on with what an interrupted run left there, and publish the result."""
    settings = training_settings(args.corpus, args.variant, fine_tuned=args.initial is not None)
    os.environ["OMP_NUM_THREADS"] = str(settings.threads)  # read once, when torch is imported
    from stages.training.device import at_hand, training_here
    from stages.training.initial import write_initial
    from stages.training.run import model_arguments_of, train_in
    from stages.training.saves import BEST, LOG, Saves, publish, sync
    from stages.training.supervision import supervised_data

    settings, chosen, said = training_here(args.corpus, args.variant, args.initial is not None, at_hand())
    if said:
        print(said, flush=True)
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
        record |= {"auto": chosen} if chosen else {}
        write_json(out / "training.json", {"variant": args.variant, "seed": args.seed, **record})
        sync(out)
    discard(scratch)


if __name__ == "__main__":
    run(main)
