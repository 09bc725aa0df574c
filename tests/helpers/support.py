"""Tiny models of every variant in params.yaml, without data, and random ragged batches for them.

A model comes about as in training: params.yaml -> command line -> fairseq's parser -> `build_model`. Only the sizes are
different: all of them small, no two alike.
"""

from argparse import Namespace
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from fairseq_plugins.listing.options import size_names
from stages.settings.params import section
from stages.settings.training import ModelSizes
from stages.settings.variants import Variant, VariantModel
from stages.training.arguments import model_arguments
from stages.training.own_options import check_known
from tests.helpers.paths import ROOT
from tests.helpers.variations import OPTIONS, of_reference_implementations

from fairseq import options as fairseq_options
from fairseq.data import Dictionary
from fairseq.models import MODEL_REGISTRY, FairseqEncoderDecoderModel

PARAMS = ROOT / "params.yaml"
VARIANTS: dict[str, VariantModel] = {
    name: variant.model for name, variant in section("variants", dict[str, Variant], PARAMS).items()
}


@cache
def recurrent() -> tuple[str, ...]:
    """The architectures of this project that are recurrent systems."""
    registry.register_all()
    return tuple(arch for arch in registry.names() if issubclass(MODEL_REGISTRY[arch], RecurrentModel))


def _by_computation(variants: dict[str, VariantModel]) -> dict[str, VariantModel]:
    """The first of those that compute the same: systems may differ in their training, their title or their sizes."""
    first: dict[str, str] = {}
    for name, model in variants.items():
        own = {option: value for option, value in model.options().items() if not ModelSizes.has(option)}
        first.setdefault(repr((model.arch, model.terms, sorted(own.items()))), name)
    return {name: variants[name] for name in first.values()}


ARCHS = recurrent()
RECURRENT = _by_computation({name: model for name, model in VARIANTS.items() if model.arch in ARCHS})
OF_FAIRSEQ = {name: model for name, model in VARIANTS.items() if model.arch not in ARCHS}
"""Transformers: fairseq's own, and what of this project stands on it."""
SYSTEMS = {**RECURRENT, **OPTIONS, **of_reference_implementations()}

TINY = ModelSizes(
    **dict.fromkeys(size_names(), 3)
    | dict(embed_dim=7, hidden_dim=6, attention_dim=5, readout_dim=4)
    | dict(embed_dropout=0, annotation_dropout=0, readout_dropout=0, init_range=0.7)
)  # the widths of all terms are 3
SOURCE_TYPES, TARGET_TYPES = 11, 13  # beside fairseq's four special symbols


class Subject(NamedTuple):
    """A model under test, in evaluation mode, and the parsed options it was built from."""

    model: FairseqEncoderDecoderModel
    args: Namespace


class Batch(NamedTuple):
    """Right-padded ids: source ``(B, S)`` of lengths ``(B,)``, previous ``(B, T)``, which eos begins, and target, which
    eos ends."""

    source: Tensor
    lengths: Tensor
    previous: Tensor
    target: Tensor

    def sentence(self, row: int) -> "Batch":
        """One sentence without its padding."""
        S, T = int(self.lengths[row]), int(self.target_lengths[row])
        one = slice(row, row + 1)
        return Batch(self.source[one, :S], self.lengths[one], self.previous[one, :T], self.target[one, :T])

    def rows(self, order: Tensor) -> "Batch":
        """The sentences ``order``, which may repeat and leave out."""
        return Batch(*(tensor[order] for tensor in self))

    @property
    def real(self) -> Tensor:
        """True at real target words, ``(B, T)``."""
        return self.target.ne(Dictionary().pad())

    @property
    def target_lengths(self) -> Tensor:
        return self.real.sum(1)


def dictionary(types: int) -> Dictionary:
    made = Dictionary()
    for k in range(types):
        made.add_symbol(f"w{k}")
    return made


def build(
    variant: VariantModel, sizes: ModelSizes = TINY, dtype: torch.dtype = torch.float64, seed: int = 1
) -> Subject:
    """A model with random weights. What the variant says of sizes gives way to ``sizes``; its formulas stay."""
    registry.register(variant.arch)
    if variant.arch in registry.names():
        known = MODEL_REGISTRY[variant.arch].option_names(variant.terms)
        given = variant.arch in recurrent()  # are the sizes; of a Transformer they are its own
        own = {name: value for name, value in variant.options().items() if not (given and ModelSizes.has(name))}
        variant = VariantModel.model_construct(arch=variant.arch, terms=variant.terms, **own)
        check_known(variant, known)
    else:
        known = None
    flags = model_arguments(variant, sizes, known)
    args = fairseq_options.parse_args_and_arch(fairseq_options.get_training_parser(), ["no data", *flags])
    return Subject(build_class(MODEL_REGISTRY[variant.arch], args, seed).to(dtype), args)


def of(arch: str, terms: list[str] | None = None, **options: str) -> VariantModel:
    """A variant that params.yaml need not have."""
    return VariantModel(arch=arch, terms=terms, **options)


def terms_of(variant: VariantModel) -> set[str]:
    """Names of the terms inside the tanh of a variant's attention; none for fairseq's own architectures."""
    return _terms(variant.arch) | set(variant.terms or [])


@cache
def _terms(arch: str) -> set[str]:
    registry.register(arch)
    return {term.name for term in MODEL_REGISTRY[arch].terms} if arch in ARCHS else set()


def build_class(kind: type[FairseqEncoderDecoderModel], args: Namespace, seed: int = 1) -> FairseqEncoderDecoderModel:
    """A model of a class, in evaluation mode; other random numbers of the test stay as they were."""
    task = Namespace(source_dictionary=dictionary(SOURCE_TYPES), target_dictionary=dictionary(TARGET_TYPES))
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return kind.build_model(args, task).eval()


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def random_batch(source_lengths: Sequence[int], target_lengths: Sequence[int], seed: int = 0) -> Batch:
    """Random sentences of the given lengths, eos included; the longest of a side sets the width."""
    random = torch.Generator().manual_seed(seed)
    special = Dictionary()
    eos, pad = special.eos(), special.pad()

    def side(lengths: Sequence[int], types: int) -> Tensor:
        words = torch.randint(
            special.nspecial, special.nspecial + types, (len(lengths), max(lengths)), generator=random
        )
        for row, length in enumerate(lengths):
            words[row, length - 1] = eos
            words[row, length:] = pad
        return words

    source, target = side(source_lengths, SOURCE_TYPES), side(target_lengths, TARGET_TYPES)
    previous = torch.cat((torch.full_like(target[:, :1], eos), target[:, :-1]), 1).masked_fill(target.eq(pad), pad)
    return Batch(source, torch.tensor(source_lengths), previous, target)


BATCH = random_batch([5, 1, 4, 3], [4, 5, 1, 3], seed=7)


def random_links(batch: Batch, seed: int = 0) -> Tensor:
    """Random word alignments as losses get them ``(B, T, S)``: some words are not aligned, eos is, to eos alone."""
    random = torch.Generator().manual_seed(seed)
    links = torch.zeros(*batch.target.shape, batch.source.shape[1], dtype=torch.bool)
    for row, (S, T) in enumerate(zip(batch.lengths.tolist(), batch.target_lengths.tolist(), strict=True)):
        links[row, : T - 1, : S - 1] = torch.rand(T - 1, S - 1, generator=random) < 0.3
        links[row, T - 1, S - 1] = True
    return links.to(torch.float64)


def forward(model: FairseqEncoderDecoderModel, batch: Batch) -> tuple[Tensor, Tensor | None]:
    """Logits ``(B, T, V)`` and weights ``(B, T, S)`` (or None) of one teacher-forced pass."""
    return outputs(model(batch.source, batch.lengths, batch.previous))


def outputs(result: tuple[Tensor, dict]) -> tuple[Tensor, Tensor | None]:
    """Logits and weights out of what fairseq's models return."""
    logits, extra = result
    return logits, extra["attn"][0] if extra["attn"] else None


def step_by_step(model: FairseqEncoderDecoderModel, batch: Batch) -> tuple[Tensor, Tensor | None]:
    """What ``forward`` gives, by incremental decoding along the given prefixes."""
    source, state = model.encoder(batch.source, src_lengths=batch.lengths), {}
    steps = [
        outputs(model.decoder(batch.previous[:, : i + 1], encoder_out=source, incremental_state=state))
        for i in range(batch.previous.shape[1])
    ]
    logits, weights = zip(*steps, strict=True)
    return torch.cat(logits, 1), None if weights[0] is None else torch.cat(weights, 1)


def close(actual: Tensor, expected: Tensor, tolerance: float) -> None:
    """Equal up to an absolute tolerance, with equal types and shapes."""
    torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def padded(batch: Batch, source: int, target: int) -> Batch:
    """The same sentences with more padding."""
    pad = Dictionary().pad()

    def wider(ids: Tensor, by: int) -> Tensor:
        return torch.nn.functional.pad(ids, (0, by), value=pad)

    return Batch(wider(batch.source, source), batch.lengths, wider(batch.previous, target), wider(batch.target, target))
