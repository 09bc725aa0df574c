"""From typed settings to fairseq's command line."""

import math
from pathlib import Path
from typing import Any

from stages.settings.optimizers import Adadelta, Adam, Optimizer
from stages.settings.training import ModelSizes, Training
from stages.settings.variants import VariantModel


def training_arguments(
    training: Training, seed: int, data: Path, save_dir: Path, languages: tuple[str, str]
) -> list[str]:
    """Everything but the model, as arguments of ``fairseq-train``.

    A batch has as many sentences of like lengths as ``max_tokens`` has room for, without what ``length_multiple`` pads,
    and fairseq makes that a multiple of eight or fewer than eight (its own ``--required-batch-size-multiple``): each
    longest length has a number of rows of its own. So ``length_multiple`` makes the pairs of lengths fewer that occur
    with one number of rows, and leaves those numbers as they are. Where ``max_sentences`` is no multiple of eight, that
    other multiple is one of it.
    """
    source, target = languages
    arguments = {
        "task": "translation",
        "source-lang": source,
        "target-lang": target,
        "save-dir": save_dir,
        "seed": seed,
        "label-smoothing": training.label_smoothing,
        **_optimizer(training.optimizer),
        "clip-norm": training.clip_norm,
        "lr": training.lr,
        "lr-scheduler": training.lr_scheduler,
        "warmup-updates": training.warmup_updates,
        "max-epoch": training.max_epoch,
        "best-checkpoint-metric": "ppl",  # what fairseq's validation hands back; the checkpoint is chosen by dev BLEU
        **_batches(training),
        "required-seq-len-multiple": training.length_multiple,
        "num-workers": 0,
        "distributed-world-size": training.gpus,  # else as many processes as there are GPUs, without what is ours
        "log-format": "json",
        "log-interval": 50,
    }
    if training.first_annealed is not None:
        arguments |= {"force-anneal": training.first_annealed, "lr-shrink": training.lr_shrink}
    flags = ["--left-pad-source"]  # in fairseq 0.12.2 the bare flag turns left padding off
    flags += {"fp32": [], "tf32": [], "bf16_products": [], "bf16": ["--bf16"], "fp16": ["--fp16"]}[training.precision]
    flags += ["--sentence-avg"] if training.sentence_avg else []
    return [str(data), *flags, *(part for name, value in arguments.items() for part in (f"--{name}", str(value)))]


def _optimizer(optimizer: Optimizer) -> dict[str, Any]:
    if isinstance(optimizer, Adam):
        return {
            "optimizer": "fused_adamw",
            "adam-betas": str(optimizer.betas),
            "adam-eps": optimizer.eps,
            "weight-decay": optimizer.weight_decay,
        }
    if isinstance(optimizer, Adadelta):
        return {"optimizer": "adadelta", "adadelta-rho": optimizer.rho, "adadelta-eps": optimizer.eps}
    return {"optimizer": "sgd", "momentum": optimizer.momentum}


def _batches(training: Training) -> dict[str, Any]:
    arguments: dict[str, Any] = {} if training.max_tokens is None else {"max-tokens": training.max_tokens}
    if training.max_sentences is not None:
        arguments |= {
            "batch-size": training.max_sentences,
            "required-batch-size-multiple": math.gcd(training.max_sentences, 8),
        }
    return arguments


def model_arguments(model: VariantModel, sizes: ModelSizes, known: set[str] | None) -> list[str]:
    """The model, as arguments of ``fairseq-train``.

    Args:
        known: names of the options that the architecture reads; the corpus's sizes that it does not read are left out.
            None for fairseq's own architectures, which take only what the variant itself says.
    """
    own = model.options()
    if known is None:
        options: dict[str, Any] = own
    else:
        shared = {name: value for name, value in sizes.model_dump().items() if name in known}
        options = {name: value for name, value in {**shared, **own}.items() if value is not None}
    criterion = "label_smoothed_cross_entropy" if known is None else "auxiliary_nll"
    arguments = ["--arch", model.arch, "--criterion", criterion]
    if model.terms is not None:
        arguments += ["--terms", ",".join(model.terms)]
    for name, value in options.items():
        arguments += _flag(name, value, bare=known is None)
    return arguments


def _flag(name: str, value: Any, bare: bool) -> list[str]:
    """One option; fairseq's own truths are ``bare`` flags, ours say true or false."""
    flag = "--" + name.replace("_", "-")
    if isinstance(value, bool):
        return ([flag] if value else []) if bare else [flag, str(value).lower()]
    return [flag, str(value)]
