"""Stage `train`: one system, one seed -> its best checkpoint, log, learning curve and record."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

from stages.files.atomic import io_errors, new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import RUN, arguments, run
from stages.files.records import write_json
from stages.files.run_directory import MANIFEST
from stages.files.scratch import alone, end, scratch_folder
from stages.settings.study_run import StudyRun, run_of
from stages.settings.training import ModelSizes
from stages.settings.variants import TrainingSections, VariantModel, training_sections, variant
from stages.training.arguments import training_arguments


class Job(NamedTuple):
    """A training: of what, with which settings, and where its inputs and outputs are.

    pair: source and target language. text, bpe, data: folders of the stages corpus, bpe and binarize; code: code
    manifest of this system's training; supervision: this system's folder of that stage; scratch: folder for trainings
    under way; initial: folder of the initialise stage, of a fine-tuned system.
    """

    variant: str
    seed: int
    pair: tuple[str, str]
    model: VariantModel
    sizes: ModelSizes
    training: TrainingSections
    text: Path
    bpe: Path
    data: Path
    code: Path
    supervision: Path
    scratch: Path
    out: Path
    initial: Path | None


def main() -> None:
    args = arguments(__doc__, *RUN, "variant", "seed", flags=["reverse", "fine-tune"])
    train(job(run_of(args), args.variant, args.seed, args.reverse, args.fine_tune))


def job(of: StudyRun, name: str, seed: int, reverse: bool, fine_tuned: bool) -> Job:
    """The training of a system of a study. reverse: in the reverse direction of the study.

    Raises:
        InputError: a setting is missing or wrong.
    """
    folders = of.folders
    return Job(
        variant=name,
        seed=seed,
        pair=of.languages(reverse),
        model=variant(name, of.content).on(of.corpus).model,
        sizes=of.section("model", ModelSizes),
        training=training_sections(of.corpus, name, of.content, fine_tuned),
        text=folders.of_corpus.text,
        bpe=folders.tokens,
        data=folders.data_reverse if reverse else folders.data,
        code=MANIFEST / "train" / name,
        supervision=folders.supervision / name,
        scratch=folders.scratch(reverse),
        out=folders.model(name, seed, reverse),
        initial=folders.initial(name) / str(seed) if fine_tuned else None,
    )


def train(args: Job) -> None:
    """Train in a scratch folder, going on with what an interrupted run left there, and publish the result."""
    os.environ["OMP_NUM_THREADS"] = str(args.training.settings().threads)  # read once, when torch is imported
    from stages.training.batch_limits import check_lengths
    from stages.training.device import at_hand, training_here
    from stages.training.initial import write_initial
    from stages.training.run import model_arguments_of, train_in, without_words
    from stages.training.saves import BEST, LOG, Saves, publish, sync
    from stages.training.supervision import supervised_data

    settings, chosen, said = training_here(args.training, at_hand())
    if said:
        print(said, flush=True)
    arguments, pair = model_arguments_of(args.model, args.sizes, args.variant), args.pair
    _, system = without_words(arguments)
    check_lengths(settings, args.bpe, pair, system.max_positions(), read_corpus_record(args.text).held_out)
    name = f"{args.variant}-{args.seed}"
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
    end(scratch)


if __name__ == "__main__":
    run(main)
