"""One training run in its scratch folder, from settings to record."""

import logging
import os
import platform
import statistics
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from fairseq_plugins import compat, registry
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from fairseq_plugins.kernels import rounds_quickly, use_products
from fairseq_plugins.optim import fused_adamw  # noqa: F401  the same
from stages.files.errors import InputError
from stages.files.text import read_lines
from stages.settings.machine import check_threads
from stages.settings.training import Decoding, ModelSizes, Training
from stages.settings.variants import VariantModel
from stages.training.arguments import model_arguments
from stages.training.cpu_settings import save_time
from stages.training.journal import Journal, keep_json
from stages.training.loop import WITHOUT_GRAPHS, DevBleu, Loop
from stages.training.own_options import check_known, check_own_options
from stages.training.process_group import ALONE, ProcessGroup
from stages.training.saves import BEST, EPOCHS, LOG, Saves
from stages.translating.decoding import System, translate
from stages.translating.precision import factors_of
from stages.translating.words_bleu import words_bleu

from fairseq import options
from fairseq.data import Dictionary
from fairseq.models import ARCH_MODEL_REGISTRY, MODEL_REGISTRY, FairseqEncoderDecoderModel

PACKAGES = ("torch", "fairseq", "sacrebleu", "subword-nmt", "numpy")


def model_arguments_of(model: VariantModel, sizes: ModelSizes, variant: str) -> list[str]:
    """The variant's model as arguments of ``fairseq-train``, its options held against what the architecture knows.

    Raises:
        InputError: no such architecture, term or option.
    """
    try:
        registry.register(model.arch)
        if model.arch not in registry.names():
            check_own_options(model)
            return model_arguments(model, sizes, None)
        known = MODEL_REGISTRY[model.arch].option_names(model.terms)
        check_known(model, known)
    except ValueError as error:
        raise InputError(f"params.yaml: variants.{variant}: {error}") from None
    return model_arguments(model, sizes, known)


def without_words(arguments: list[str]) -> tuple[Namespace, FairseqEncoderDecoderModel]:
    """What the arguments of ``model_arguments_of`` are as fairseq reads them, and the system, without words or numbers.

    Raises:
        ValueError: an argument that fairseq refuses. Building may raise others.
    """
    parser = options.get_training_parser()
    parser.error = _refuse
    args = options.parse_args_and_arch(parser, ["data", *arguments])
    words = Namespace(source_dictionary=Dictionary(), target_dictionary=Dictionary())
    with torch.device("meta"):  # sizes without numbers, whatever memory they would take
        return args, ARCH_MODEL_REGISTRY[args.arch].build_model(args, words)


def _refuse(message: str) -> None:
    """What argparse calls instead of printing its usage and leaving."""
    raise ValueError(message)


def train_in(
    scratch: Path, name: str, settings: Training, arguments: list[str], text: Path, bpe: Path, pair: tuple[str, str]
) -> tuple[dict[str, Any], Callable[[Path], None]]:
    """Train to the end in ``scratch``, resuming what is there.

    Returns:
        What training.json holds, and a function that writes the learning curve to a path.

    Raises:
        InputError: more threads or GPUs than this machine has, or one of several processes died.
    """
    check_threads(settings.threads, "training.threads")
    work = partial(_train, scratch, name, settings, arguments, text, bpe, pair)
    if settings.gpus == 1:
        work(ALONE)
    else:
        from stages.training.workers import check_gpus, run_workers  # what one process does not need

        check_gpus(settings.gpus)
        run_workers(settings.gpus, work)
    saves = Saves(scratch)
    journal = _journal(saves)
    epochs, best = journal.epochs(), journal.best()
    speeds = [row.tokens_per_second for row in epochs if row.tokens_per_second]
    record = {
        "parameters": compat.load_checkpoint(saves.file(BEST))["extra_state"]["parameters"],
        "train_tokens_per_second": statistics.median(speeds) if speeds else None,
        "wall_seconds": epochs[-1].wall_seconds,
        "updates": epochs[-1].updates,
        "epochs": epochs[-1].epoch,
        "best_epoch": best.epoch,
        "best_dev_bleu": best.dev_bleu,
        "versions": {"python": platform.python_version()} | {package: version(package) for package in PACKAGES},
        "machine": machine(settings.threads) | ({"gpus": settings.gpus} if settings.gpus > 1 else {}),
    }
    if (scratch / WITHOUT_GRAPHS).exists():
        record["cuda_graphs_switched_off"] = (scratch / WITHOUT_GRAPHS).read_text(encoding="utf-8")
    return record, journal.write_curve


def _train(
    scratch: Path, name: str, settings: Training, arguments: list[str], text: Path, bpe: Path, pair: tuple[str, str],
    group: ProcessGroup,
) -> None:  # fmt: skip
    """One process's part of a training."""
    registry.register(arguments[arguments.index("--arch") + 1])  # in one of several processes nobody has yet
    save_time()
    torch.set_num_threads(settings.threads)
    set_products(settings.precision)
    logging.getLogger("fairseq").setLevel(logging.WARNING)
    logging.getLogger("fairseq_cli").setLevel(logging.WARNING)
    if group.first:
        keep_json(scratch / LOG)
    journal = _journal(Saves(scratch))
    if not journal.exhausted(settings.max_epoch, settings.patience):
        Loop(name, scratch, settings, journal, dev_bleu(settings, text, bpe, pair), group).run(arguments)


def _journal(saves: Saves) -> Journal:
    """The history that was saved last."""
    return Journal(read_lines(saves.file(EPOCHS), allow_empty=True) if saves.newest() else ())


def set_products(precision: str) -> None:
    """How fp32 matrices are multiplied: with rounded factors or not, and on GPUs in TF32 or not.

    torch's setting for TF32 is left alone on CPUs, some of which would lose digits by it too.
    """
    use_products(factors_of(precision))
    gpu = torch.cuda.is_available()
    if precision == "bf16_products" and (gpu or not rounds_quickly()):
        print(f"{precision} is no quicker than fp32 on this {'GPU' if gpu else 'processor'}", flush=True)
    if precision == "tf32" and not gpu:
        print("tf32 is fp32 without a GPU", flush=True)
    if gpu:
        torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
        torch.backends.cudnn.allow_tf32 = precision == "tf32"  # of the encoder's GRU; on unless it is switched off


def dev_bleu(settings: Training, text: Path, bpe: Path, pair: tuple[str, str]) -> DevBleu:
    """A function model -> case-insensitive BLEU of its dev translation, on words as the corpus stage wrote them."""
    source, target = pair
    sentences = [line.split(" ") for line in read_lines(bpe / f"dev.{source}")]
    references = read_lines(text / f"dev.{target}")
    decoding = Decoding(
        beam=settings.dev_beam, length_penalty=1.0, max_len_a=1.5, max_len_b=10, max_tokens=4000,
        precision="fp32", threads=settings.threads,
    )  # fmt: skip

    def measure(model: FairseqEncoderDecoderModel) -> float:
        was_training = model.training
        model.eval()
        system = System(model, model.encoder.dictionary, model.decoder.dictionary)
        found = translate(system, sentences, decoding, progress=None)
        model.train(was_training)
        return words_bleu(found, references)

    return measure


def machine(threads: int) -> dict[str, Any]:
    """Where the run was made: enough to judge its speed."""
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    return {"processor": _processor(), "cores": os.cpu_count(), "threads": threads, "gpu": gpu}


def _processor() -> str:
    info = Path("/proc/cpuinfo")  # platform.processor() is empty on Linux
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
