"""The systems that are measured: the models of params.yaml's variants, and fairseq's own LSTM."""

from argparse import Namespace
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from benchmarks.products.catalogue import widening_of
from benchmarks.sizes import READOUT_DROPOUT, Size
from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from fairseq_plugins.listing.architectures import dictionary
from stages.files.errors import InputError
from stages.settings.params import read, section
from stages.settings.titles import titles_of
from stages.settings.training import ModelSizes, Training
from stages.settings.variants import Variant, VariantModel
from stages.training.run import model_arguments_of

from fairseq import options
from fairseq.criterions.label_smoothed_cross_entropy import LabelSmoothedCrossEntropyCriterion
from fairseq.models import MODEL_REGISTRY, FairseqEncoderDecoderModel

PARAMS = Path(__file__).parents[1] / "params.yaml"
BASE, TRANSFORMER = "rnnsearch_star", "transformer"
FAIRSEQ = "fairseq_lstm"
SMOOTHING = section("corpora.demo.training", Training, PARAMS).label_smoothing


PARTS = ("build_model", "build_encoder", "build_attention", "build_cell", "build_readout")
COUNTED = ("cohn_agreement", "lvnmt", "attnmt")  # what these build beside RNNsearch* is counted, or has no products


class System(NamedTuple):
    """What is measured.

    Attributes:
        variants: those of params.yaml that share its model.
    """

    name: str
    title: str
    model: VariantModel
    variants: tuple[str, ...]

    @property
    def is_recurrent(self) -> bool:
        """Of this project's recurrent systems, whose products go through the kernels."""
        return _is_recurrent(self.model.arch)


class Trainable(NamedTuple):
    """A model in training mode; loss: the summed loss of a batch (a sample of fairseq's)."""

    model: torch.nn.Module
    loss: Callable[[dict], Tensor]
    reads_links: bool


def systems() -> list[System]:
    """Every distinct model of params.yaml in the order of its first variant, then fairseq's LSTM."""
    variants = section("variants", dict[str, Variant], PARAMS)
    titles = titles_of(variants, read(PARAMS))
    found: list[System] = []
    for name, variant in variants.items():
        same = tuple(other for other in variants if variants[other].model == variant.model)
        if same[0] == name:
            found.append(System(name, titles[name], variant.model, same))
    return [*found, System(FAIRSEQ, "fairseq's own LSTM", VariantModel(arch="lstm"), ())]


def named(names: list[str] | None) -> list[System]:
    """The systems of the variants ``names``, or all.

    Raises:
        InputError: one of them is unknown.
    """
    everything = systems()
    if names is None:
        return everything
    known = {name for system in everything for name in (system.name, *system.variants)}
    unknown = sorted(set(names) - known)
    if unknown:
        raise InputError(f"params.yaml has no {', '.join(unknown)}; give variants of it, or {FAIRSEQ}")
    return [system for system in everything if {system.name, *system.variants} & set(names)]


def terms_of(model: VariantModel) -> set[str] | None:
    """Names of the terms of a system that is RNNsearch* but for them; None for any other, fairseq's own among them."""
    if not _is_recurrent(model.arch):
        return None
    kind = MODEL_REGISTRY[model.arch]
    own = [part for part in PARTS if getattr(kind, part).__func__ is not getattr(RecurrentModel, part).__func__]
    if (own and model.arch not in COUNTED) or model.options().get("base") == "rnnsearch":
        return None
    return {term.name for term in kind.terms} | set(model.terms or [])


def build(system: System, size: Size, device: torch.device) -> Trainable:
    """The system with random weights, as training would build it."""
    args = _arguments(system, size)
    kind = MODEL_REGISTRY[system.model.arch]
    words = dictionary(size.V)
    task = Namespace(source_dictionary=words, target_dictionary=words, datasets={})
    torch.manual_seed(1)
    model: FairseqEncoderDecoderModel = kind.build_model(args, task).to(device).train()
    ours = system.model.arch in registry.names()
    if ours:
        criterion = AuxiliaryNLL(task, sentence_avg=False, label_smoothing=SMOOTHING)
    else:
        criterion = LabelSmoothedCrossEntropyCriterion(task, sentence_avg=False, label_smoothing=SMOOTHING)
    return Trainable(model, lambda sample: criterion(model, sample)[0], ours and kind.reads_links(args))


def sized(model: VariantModel, size: Size) -> VariantModel:
    """The variant at a size: what it says of sizes gives way, its formulas stay."""
    own = model.options()
    if model.arch == "lstm":
        return VariantModel(
            arch="lstm", encoder_embed_dim=size.H, encoder_hidden_size=size.H, encoder_layers=1,
            encoder_bidirectional=True, decoder_embed_dim=size.H, decoder_hidden_size=size.H, decoder_layers=1,
            decoder_out_embed_dim=size.H, decoder_attention="True", dropout=0.0, decoder_dropout_out=READOUT_DROPOUT,
        )  # fmt: skip
    if widening := widening_of(model):
        own |= {"encoder_embed_dim": size.H, "encoder_ffn_embed_dim": widening * size.H}
        return VariantModel(arch=model.arch, **own)
    kept = {name: value for name, value in own.items() if not ModelSizes.has(name)}
    return VariantModel(arch=model.arch, terms=model.terms, **kept)


def _is_recurrent(arch: str) -> bool:
    registry.register(arch)
    return issubclass(MODEL_REGISTRY[arch], RecurrentModel)


@cache
def _parsed(arguments: tuple[str, ...]) -> Namespace:
    return options.parse_args_and_arch(options.get_training_parser(), ["no data", *arguments])


def _arguments(system: System, size: Size) -> Namespace:
    """A copy: building a model may write into its arguments."""
    given = model_arguments_of(sized(system.model, size), size.model_sizes(), system.name)
    return Namespace(**vars(_parsed(tuple(given))))
