"""The base of every system: which encoder, cell and attention it is made of, and its registration with fairseq."""

import dataclasses
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from torch import Tensor, nn

from fairseq_plugins.core.additive import AdditiveAttention
from fairseq_plugins.core.cells.conditional import ConditionalGRU
from fairseq_plugins.core.decoder import RecurrentDecoder
from fairseq_plugins.core.encoder import BidirectionalEncoder, RecurrentEncoder
from fairseq_plugins.core.options import RefusedError, add_options, option, read_options
from fairseq_plugins.core.protocol import Attention, Cell, Target, Term, Widths
from fairseq_plugins.core.readout import BaseReadout, Readout

from fairseq.models import FairseqEncoderDecoderModel, register_model, register_model_architecture


@dataclass(frozen=True)
class SystemOptions:
    """Sizes and switches that every recurrent system has; symbols as in the papers.

    Choices:
        attention_dim: Xue: not stated; Kuang: as Bahdanau, 1000; dl4mt: 2H -> ours
        readout: Xue, Eq. 8: "a linear transformation" -> code: tanh; maxout for `rnnsearch` and `rnnencdec`
        readout_dim: dl4mt: E; Bahdanau: 500 with E = 620 -> code; ours with maxout
        readout_lowrank: Bahdanau prints one matrix; GroundHog factors it -> paper
        init_range: Xue: that, biases too; dl4mt: normal and orthogonal -> paper
        zero_first_embedding: dl4mt, GroundHog: a zero vector -> ours: y_0 is the learned eos
    """

    embed_dim: int = option(512, "E, embedding width on both sides")
    hidden_dim: int = option(512, "H, GRU width of the encoder (per direction) and of the decoder")
    attention_dim: int | None = option(None, "A, width inside the tanh of additive attention; H unless given")
    readout: Literal["tanh", "maxout", "linear"] | None = option(
        None, "non-linearity of the readout; the system's own unless given"
    )
    readout_dim: int | None = option(None, "R, width in front of the output matrix; E unless given")
    readout_lowrank: int | None = option(
        None, "rank of the output matrix, factored as W_o W_l (GroundHog: 620); a single W_o, as printed, unless given"
    )
    embed_dropout: float = option(0.0, "dropout on source and target embeddings")
    annotation_dropout: float = option(0.0, "dropout on the annotations h_j")
    readout_dropout: float = option(0.2, "dropout on the readout t_i (Xue et al. 2019: 'on the output layer')")
    init_range: float = option(0.1, "parameters start uniform in [-x, x] (Xue et al. 2019: 0.1)")
    zero_first_embedding: bool = option(False, "feed zeros instead of eos at the first step, as dl4mt does")

    def __post_init__(self):
        if self.readout_lowrank is not None and self.readout_lowrank < 1:
            raise ValueError(f"readout_lowrank must be at least 1, not {self.readout_lowrank}")


class RecurrentModel(FairseqEncoderDecoderModel):
    """Encoder + cell + attention + readout. A published system overrides class attributes, little else.

    Attributes:
        encoder_type: which encoder reads the source.
        terms: the terms inside the tanh of its additive attention, in order.
        default_readout: the readout of its paper.
        own_options: option classes beyond ``SystemOptions`` and those of its terms.
        fixed: options whose value makes it this system; nobody else sets them.
        unused: options of ``SystemOptions`` that would change nothing of it.
    """

    encoder_type: type[RecurrentEncoder] = BidirectionalEncoder
    terms: tuple[type[Term], ...] = ()
    default_readout: Literal["tanh", "maxout", "linear"] = "tanh"
    own_options: tuple[type, ...] = ()
    fixed: ClassVar[dict[str, Any]] = {}
    unused: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def option_types(cls) -> tuple[type, ...]:
        """Every option class that this system reads."""
        return (SystemOptions, *cls.own_options, *(term.Options for term in cls.terms))

    @classmethod
    def option_names(cls, terms: list[str] | None) -> set[str]:
        """Names of the options that the system reads; ``terms``: those that params.yaml names for a combination."""
        if terms is not None:
            raise ValueError("only a combination (arch: attnmt) takes `terms`; a published system has its own")
        declared = {field.name for kind in cls.option_types() for field in dataclasses.fields(kind)}
        return declared - set(cls.fixed) - cls.unused

    @classmethod
    def fix_options(cls, args: Namespace) -> None:
        """Set the options in ``fixed``; fairseq calls it as the architecture's defaults.

        Raises:
            RefusedError: one of them was given another value.
        """
        for name, value in cls.fixed.items():
            if getattr(args, name, None) not in (None, value):
                raise RefusedError(f"--{name.replace('_', '-')} is {value} in {args.arch}, by definition")
            setattr(args, name, value)

    @classmethod
    def reads_links(cls, args: Namespace) -> bool:
        """Whether training needs word alignments of the training text."""
        return any(term.reads_links(read_options(term.Options, args)) for term in cls.term_types(args))

    @classmethod
    def add_args(cls, parser: ArgumentParser) -> None:
        add_options(parser, *cls.option_types())

    @classmethod
    def build_model(cls, args: Namespace, task) -> "RecurrentModel":
        """Called by fairseq with its parsed arguments and task (for the dictionaries)."""
        options = read_options(SystemOptions, args)
        encoder = cls.build_encoder(args, options, task.source_dictionary)
        attention = cls.build_attention(args, options, encoder)
        cell = cls.build_cell(args, options, encoder, attention)
        if (attention.extra_width or attention.gives_candidate) and not cell.takes_extras:
            raise ValueError(f"{type(cell).__name__} has no place for what the terms feed into the recurrence")
        readout = cls.build_readout(args, options, attention)
        decoder = RecurrentDecoder(
            task.target_dictionary, options.embed_dim, cell, attention, readout,
            options.embed_dropout, options.readout_dropout, options.zero_first_embedding,
            options.readout_lowrank,
        )  # fmt: skip
        model = cls(encoder, decoder)
        initialise(model, options.init_range)
        return model

    @classmethod
    def term_types(cls, args: Namespace) -> tuple[type[Term], ...]:
        """The terms of this system; a combination named on the command line reads them from ``args``."""
        return cls.terms

    @classmethod
    def build_encoder(cls, args: Namespace, options: SystemOptions, dictionary) -> RecurrentEncoder:
        return cls.encoder_type(
            dictionary, options.embed_dim, options.hidden_dim, options.embed_dropout, options.annotation_dropout
        )

    @classmethod
    def build_readout(cls, args: Namespace, options: SystemOptions, attention: Attention) -> BaseReadout:
        """From state, embedding and context to the features in front of the output matrix."""
        return Readout(
            options.readout or cls.default_readout, options.readout_dim or options.embed_dim, options.hidden_dim,
            options.embed_dim, attention.context_width, attention.read_widths,
        )  # fmt: skip

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Attention:
        """The attention mechanism: additive, as D2 has it, unless a system says otherwise."""
        return cls.build_additive(args, options, encoder, bias=True)

    @classmethod
    def build_additive(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, bias: bool
    ) -> AdditiveAttention:
        types = cls.term_types(args)
        check_compatible(types)
        widths = Widths(
            len(encoder.dictionary), options.embed_dim, options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
        widened = widths.annotation + sum(term.widening(widths) for term in types)
        widths = dataclasses.replace(widths, annotation=widened)
        terms = {term.name: term(read_options(term.Options, args), widths) for term in types}
        return AdditiveAttention(widths, bias, terms)

    @classmethod
    def build_cell(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, attention: Attention
    ) -> Cell:
        """The recurrence: D2 unless a system says otherwise."""
        return ConditionalGRU(
            options.embed_dim, options.hidden_dim, attention.annotation_width, attention.context_width,
            attention.extra_width,
        )  # fmt: skip

    def auxiliary_losses(
        self, net_output: tuple[Tensor, dict], ids: Tensor, links: Tensor | None = None
    ) -> dict[str, Tensor]:
        """The losses of the system's terms on a batch, by name, summed over it (same denominator as the NLL).

        Args:
            net_output: what ``forward`` returned.
            ids: y_i incl. eos, right-padded, ``(B, T)``.
            links: word alignments, ``(B, T, S)``, where a loss needs them.
        """
        attention = self.decoder.attention
        if not attention.has_loss:
            return {}
        target = Target(ids, ids.ne(self.decoder.dictionary.pad()), self.decoder.embed_tokens(ids), links)
        return attention.loss(net_output[1]["trace"], target)


def check_compatible(terms: Sequence[type[Term]]) -> None:
    """Raises ValueError, with the reason, when two of the terms exclude each other."""
    names = {term.name for term in terms}
    for term in terms:
        for other in sorted(names & set(term.excludes)):
            raise ValueError(f"{term.name} cannot stand beside {other}: {term.excludes[other]}")
    if len(several := [term.name for term in terms if term.normalises]) > 1:
        raise ValueError(f"{several[0]} cannot stand beside {several[1]}: both take the place of the softmax")


def initialise(model: nn.Module, limit: float) -> None:
    """All parameters uniform in [-limit, limit], biases included (Xue et al. 2019); padding embeddings zero."""
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -limit, limit)
    for module in model.modules():
        if isinstance(module, nn.Embedding) and module.padding_idx is not None:
            nn.init.zeros_(module.weight[module.padding_idx].detach())


def register(name: str) -> Callable[[type[RecurrentModel]], type[RecurrentModel]]:
    """Make a system known to fairseq as the architecture ``name`` (``--arch name``)."""

    def decorate(cls: type[RecurrentModel]) -> type[RecurrentModel]:
        register_model(name)(cls)
        register_model_architecture(name, name)(cls.fix_options)
        return cls

    return decorate
